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

  /** An account with the address that its logo has in an earlier export, since the account shows that of a copy. Adds what is to be said to `notes`. */
  async keep(
    account: AccountModel,
    earlier: AccountModel | undefined,
    notes: string[],
    company?: string,
  ): Promise<AccountModel> {
    const { logoUrl: live } = soleFields(account, "Branding");
    const { logoUrl = "" } = earlier ? soleFields(earlier, "Branding") : {};
    const isKept = live !== undefined && logoUrl !== "" && !hasPlaceholder(logoUrl);
    if (!isKept || logoUrl === live) return account;
    const side = (url: string, isAuthoritative: boolean) => ({
      side: { model: { Branding: [{ fields: { logoUrl: url } }] }, label: "", isAuthoritative },
      ...(isAuthoritative && { baseUrl: this.baseUrl }),
    });
    const [now, before] = await withPictures(side(live, true), side(logoUrl, false), this.#reader);
    const verdict = comparePictures(now.pictureAt?.(live), before.pictureAt?.(logoUrl));
    const say = (text: string) => notes.push(company === undefined ? text : `subaccount ${company}: ${text}`);
    if (verdict === "other") {
      say(other);
      return account;
    }
    if (verdict !== "same") say(`${unread}: ${verdict.unknown}`);
    const Branding = [{ fields: { ...soleFields(account, "Branding"), logoUrl } }];
    return { ...account, Branding };
  }
}
