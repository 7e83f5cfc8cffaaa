/** The contrast of text on the brand colour. */

import {
  contrast,
  darkEnough,
  formatColour,
  parseColour,
  REQUIRED_CONTRAST,
  type Rgb,
  WHITE,
} from "../../../account-folder/text/colour";
import { attributeOf, type StartTag, VOID_ELEMENTS } from "../../../account-folder/text/html/parse";
import type { EmailTexts } from "../../email-texts";
import { lintRule, type Violation } from "../../rule";

const formatRatio = (ratio: number) => `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;

export const brandContrast = lintRule({
  name: "brand-contrast",
  severity: "warning",
  kinds: ["Branding", "BrandingEmail"],
  description: `Choose a brand colour that white text can be read on (WCAG AA, ${REQUIRED_CONTRAST}:1), and a readable colour for text on it in emails.`,
  check: (subject) => (subject.kind === "Branding" ? whiteOn(subject.args.colour) : textOnBrand(subject.texts)),
});

function* whiteOn(colour: unknown): Iterable<Violation> {
  const brand = typeof colour === "string" ? parseColour(colour) : undefined;
  if (!brand) return;
  const ratio = contrast(brand, WHITE);
  if (ratio >= REQUIRED_CONTRAST) return;
  yield {
    field: "colour",
    message: `white text on ${formatColour(brand)} has a contrast of ${formatRatio(ratio)}; WCAG AA requires ${REQUIRED_CONTRAST}:1`,
    fix: `use a darker shade such as ${formatColour(darkEnough(brand))}, or keep text on it large`,
  };
}

/** The colours inside an element; undefined where they cannot be determined. */
interface Colours {
  element: string;
  text: Rgb | undefined;
  behind: Rgb | undefined;
}

function* textOnBrand(email: EmailTexts): Iterable<Violation> {
  const brand = email.context.colour === undefined ? undefined : parseColour(email.context.colour);
  const content = email.text("content");
  if (!brand || !content) return;
  const open: Colours[] = [];
  for (const token of email.body.view.tokens) {
    if (token.kind === "start" && !VOID_ELEMENTS.has(token.name)) {
      open.push(coloursIn(token, open.at(-1)));
    } else if (token.kind === "end") {
      const index = open.findLastIndex(({ element }) => element === token.name);
      if (index >= 0) open.length = index;
    } else if (token.kind === "text" && !token.within && token.text.trim() !== "") {
      const { text, behind } = open.at(-1) ?? {};
      if (!text || !behind || formatColour(behind) !== formatColour(brand)) continue;
      const ratio = contrast(text, behind);
      if (ratio >= REQUIRED_CONTRAST) continue;
      const lead = token.text.length - token.text.trimStart().length;
      yield {
        place: email.place({ start: token.start + lead, end: token.end }),
        message: `text in ${formatColour(text)} on the brand colour ${formatColour(behind)} has a contrast of ${formatRatio(ratio)}; WCAG AA requires ${REQUIRED_CONTRAST}:1`,
        fix: `use ${contrast(WHITE, behind) >= REQUIRED_CONTRAST ? "#FFFFFF" : "#000000"}`,
      };
    }
  }
}

function coloursIn(tag: StartTag, outer: Colours | undefined): Colours {
  const style = attributeOf(tag, "style")?.value ?? "";
  const property = (name: RegExp) => [...style.matchAll(name)].at(-1)?.[1];
  const behind = property(/(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)/gi) ?? attributeOf(tag, "bgcolor")?.value;
  const text = property(/(?:^|;)\s*color\s*:\s*([^;!]+)/gi) ?? attributeOf(tag, "color")?.value;
  // A link without a colour gets one from the mail client.
  const inherited = tag.name === "a" ? undefined : outer?.text;
  return {
    element: tag.name,
    text: text === undefined ? inherited : parseColour(text),
    behind: behind === undefined ? outer?.behind : parseColour(behind),
  };
}
