import { createHash } from "node:crypto";
import { z } from "zod";
import { htmlToText } from "../../../account-folder/text/html/to-text";
import { normalizeText } from "../../../definitions/text/normalize";
import { policy } from "../../rule";

/** The hash of a text, in the form in which texts are compared: line ends, and spaces at the ends of lines, do not count. */
export const hashWording = (text: string): string =>
  `sha256:${createHash("sha256").update(normalizeText(text)).digest("hex")}`;

export const approvedWording = policy({
  name: "approved-wording",
  description: "Send only approved wording: the texts of email templates whose hashes are listed.",
  severity: "error",
  kinds: ["BrandingEmail"],
  config: {
    hashes: z
      .array(z.string().regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hexadecimal digits"))
      .optional()
      .describe(
        "SHA-256 hashes of the approved subjects, HTML bodies and plain texts, as violations report them. Without it, nothing is checked",
      ),
  },
  *check({ args }, { hashes }) {
    if (hashes === undefined) return;
    for (const field of ["subject", "content", "contentPlain"] as const) {
      const text = args[field];
      if (typeof text !== "string") continue;
      // What is derived from the HTML is approved with it.
      if (field === "contentPlain" && typeof args.content === "string" && isDerived(text, args.content)) continue;
      const hash = hashWording(text);
      if (hashes.includes(hash)) continue;
      yield {
        field,
        message: `the wording is not approved; its hash is ${hash}`,
        fix: "have it approved, then add the hash to hashes",
      };
    }
  },
});

const isDerived = (plain: string, html: string): boolean => normalizeText(plain) === normalizeText(htmlToText(html));
