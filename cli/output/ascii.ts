/** Replaces symbols for terminals that can only show ASCII. Each replacement is as wide as the original. */

const signs: Record<string, string> = {
  "…": "~",
  "→": ">",
  "−": "-",
  "·": "-",
  "✔": "+",
  "✓": "+",
  "✗": "x",
  "✖": "x",
  "▲": "!",
  "├": "|",
  "└": "`",
  "─": "-",
  "│": "|",
  "█": "#",
  "░": ".",
  "×": "x",
  "↩": "<",
  "‹": "<",
  "›": ">",
  "↓": "v",
  "○": "o",
  "⠋": "|",
  "⠙": "/",
  "⠹": "-",
  "⠸": "\\",
  "⠼": "|",
  "⠴": "/",
  "⠦": "-",
  "⠧": "\\",
  "⠇": "|",
  "⠏": "/",
};
const pattern = new RegExp(`[${Object.keys(signs).join("")}]`, "gu");

/** True for TERM=dumb, and for the locales that have no more. A locale that is not set may be any. */
export function isAsciiOnly(env: NodeJS.ProcessEnv = process.env): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  return env.TERM === "dumb" || locale === "C" || locale === "POSIX";
}

export const toAscii = (text: string): string => text.replace(pattern, (sign) => signs[sign] ?? sign);
