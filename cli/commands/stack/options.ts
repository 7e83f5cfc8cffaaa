/** The options of `esign stack …`, of all its commands together. */
import type { StackSelection } from "../../project/open-project";

export interface StackOptions extends StackSelection {
  json?: boolean;
  yes?: boolean;
  showSecrets?: boolean;
  force?: boolean;
  file?: string;
  out?: string;
  showUrns?: boolean;
  showName?: boolean;
  preserveConfig?: boolean;
  create?: boolean;
  /** False with --no-select. */
  select?: boolean;
  page?: number;
  pageSize?: number;
}
