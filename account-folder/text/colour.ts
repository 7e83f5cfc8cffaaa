/** Colours as CSS writes them, and their contrast (WCAG 2.1, 1.4.3). */

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The contrast that level AA requires for text of normal size. */
export const REQUIRED_CONTRAST = 4.5;
export const WHITE: Rgb = [255, 255, 255];

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
