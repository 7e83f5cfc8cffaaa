/** What responses have shown about the service. Shared by a client and those of its subaccounts: it is one service. */
import type { Edition } from "../edition";

export interface ServiceTraits {
  /** Offset of a list's first record; undefined until a response has shown it. */
  firstOffset: 0 | 1 | undefined;
  /** Records to request per page. */
  pageSize: number;
  /** Edition whose bodies it takes. */
  bodies: Edition;
}
