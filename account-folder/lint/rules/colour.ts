/** Rules for the contrast of text on the brand colour (WCAG 2.1, 1.4.3). */
import { attributeOf, type StartTag, VOID_ELEMENTS } from "../../text/html/parse";
import type { AccountRule, EmailRule } from "./rule";

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

/** The contrast that level AA requires for text of normal size. */
const REQUIRED_CONTRAST = 4.5;
const WHITE: Rgb = [255, 255, 255];

const NAMES: Record<string, string> = {
  white: "#ffffff", black: "#000000", silver: "#c0c0c0", gray: "#808080", grey: "#808080", maroon: "#800000",
  red: "#ff0000", purple: "#800080", fuchsia: "#ff00ff", green: "#008000", lime: "#00ff00", olive: "#808000",
  yellow: "#ffff00", navy: "#000080", blue: "#0000ff", teal: "#008080", aqua: "#00ffff", orange: "#ffa500",
}; // biome-ignore format: a table

/** Parses a CSS colour; undefined for other text, and for colours with transparency. */
export function parseColour(text: string): Rgb | undefined {
  const written = text.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(NAMES[written] ?? written)?.[1];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : hex.match(/../g)!;
    return digits.map((pair) => Number.parseInt(pair, 16)) as unknown as Rgb;
  }
  const rgb = /^rgb\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)$/.exec(written);
  return rgb ? (rgb.slice(1).map((part) => Math.min(255, Number(part))) as unknown as Rgb) : undefined;
}

/** Relative luminance. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const s = part / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

export const formatColour = (colour: Rgb) =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`.toUpperCase();

/** The lightest shade of a colour on which white text has the required contrast. */
export function darkEnough(colour: Rgb): Rgb {
  for (let share = 100; share >= 0; share--) {
    const shade = colour.map((part) => Math.floor((part * share) / 100)) as unknown as Rgb;
    if (contrast(shade, WHITE) >= REQUIRED_CONTRAST) return shade;
  }
  return [0, 0, 0];
}

const formatRatio = (ratio: number) => `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;

const brandColour: AccountRule = {
  scope: "account",
  name: "brand-contrast",
  severity: "warning",
  description:
    "Choose a brand colour that white text can be read on (WCAG AA, 4.5:1), and a readable colour for text on it in emails.",
  *check({ colour, colourPlace }) {
    const brand = colour === undefined ? undefined : parseColour(colour);
    if (!brand) return;
    const ratio = contrast(brand, WHITE);
    if (ratio >= REQUIRED_CONTRAST) return;
    yield {
      place: colourPlace,
      message: `white text on ${formatColour(brand)} has a contrast of ${formatRatio(ratio)}; WCAG AA requires 4.5:1`,
      fix: `use a darker shade such as ${formatColour(darkEnough(brand))}, or keep text on it large`,
    };
  },
};

/** The colours inside an element; undefined where they cannot be determined. */
interface Colours {
  element: string;
  text: Rgb | undefined;
  behind: Rgb | undefined;
}

const textOnBrand: EmailRule = {
  scope: "email",
  name: brandColour.name,
  severity: brandColour.severity,
  description: brandColour.description,
  *check(email) {
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
          message: `text in ${formatColour(text)} on the brand colour ${formatColour(behind)} has a contrast of ${formatRatio(ratio)}; WCAG AA requires 4.5:1`,
          fix: `use ${contrast(WHITE, behind) >= REQUIRED_CONTRAST ? "#FFFFFF" : "#000000"}`,
        };
      }
    }
  },
};

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

export const colourRules = [brandColour, textOnBrand];
