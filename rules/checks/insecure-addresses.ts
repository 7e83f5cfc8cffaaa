/** URLs that are not encrypted. */
import { addressesOfText, isUnencrypted } from "../../account-folder/text/html/addresses";
import type { EmailTexts } from "../email-texts";
import type { Violation } from "../rule";

/** @internal */
export function* insecureAddresses(texts: EmailTexts): Iterable<Violation> {
  for (const [field, text] of texts.written) {
    const addresses = field === "content" ? texts.body.addresses : addressesOfText(text.text);
    for (const { url, start, end } of addresses) {
      if (!isUnencrypted(url)) continue;
      yield { place: text.place(start, end), message: "the URL is not https", fix: "use https://" };
    }
  }
}
