import { addressesOfText } from "../../../account-folder/text/html/addresses";
import { deadReason } from "../../checks/dead-reason";
import { lintRule } from "../../rule";

export const deadLink = lintRule({
  name: "dead-link",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Link to what readers can reach: no misspelt scheme, no file, no host of your own machine or network.",
  *check({ texts: email }) {
    for (const [field, text] of email.written) {
      const addresses = field === "content" ? email.body.addresses : addressesOfText(text.text);
      for (const { url, start, end } of addresses) {
        const reason = text.hasUnresolved(start, Math.max(end, start + 1)) ? undefined : deadReason(url);
        if (reason === undefined) continue;
        yield { place: text.place(start, end), message: reason, fix: "write the URL as a browser shows it" };
      }
    }
  },
});
