/** Keeps the logo addresses of an earlier export, or those that people have written, unless the account has another picture by now. */
import { comparePictures, withPictures } from "../../../account-folder/diff/compare-logos";
import { PictureReader } from "../../../account-folder/pictures/picture-reader";
import { type AccountModel, soleFields } from "../../../definitions/model";
import { hasPlaceholder } from "./previous-export";

const other = "the account has another logo than at the last export: its address is written";
const unread = "the logo's address is kept, and was not compared with the account's logo";

export class DeclaredLogos {
  readonly #reader = new PictureReader();

  /** @param baseUrl - of the account's service */
  constructor(readonly baseUrl: string) {}

  /** An account with the address that its logo has in an earlier export, since the account shows that of a copy; and what is to be said of it. */
  async keep(
    account: AccountModel,
    earlier: AccountModel | undefined,
    company?: string,
  ): Promise<{ account: AccountModel; notes: string[] }> {
    const { logoUrl: live } = soleFields(account, "Branding");
    const { logoUrl = "" } = earlier ? soleFields(earlier, "Branding") : {};
    const isKept = live !== undefined && logoUrl !== "" && !hasPlaceholder(logoUrl);
    if (!isKept || logoUrl === live) return { account, notes: [] };
    const side = (url: string, isAuthoritative: boolean) => ({
      side: { model: { Branding: [{ fields: { logoUrl: url } }] }, label: "", isAuthoritative },
      ...(isAuthoritative && { baseUrl: this.baseUrl }),
    });
    const [now, before] = await withPictures(side(live, true), side(logoUrl, false), this.#reader);
    const verdict = comparePictures(now.pictureAt?.(live), before.pictureAt?.(logoUrl));
    const about = company === undefined ? "" : `subaccount ${company}: `;
    if (verdict === "other") return { account, notes: [about + other] };
    const Branding = [{ fields: { ...soleFields(account, "Branding"), logoUrl } }];
    const notes = verdict === "same" ? [] : [`${about}${unread}: ${verdict.unknown}`];
    return { account: { ...account, Branding }, notes };
  }
}
