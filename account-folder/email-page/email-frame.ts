/**
 * The HTML of an email as the document of a sandboxed frame. Removes scripts, frames and the like, as mail clients do,
 * although the sandbox and the page's content security policy would block them, too.
 */

import { escapeHtml } from "../../sdk/text/html-escape";
import { parseUrl } from "../../sdk/text/url";
import { attributeOf, parseHtml, type StartTag, type TextRange } from "../text/html/parse";

export type Scheme = "light" | "dark";

interface FrameOptions {
  scheme: Scheme;
  /** Images that the page may show: the URL in the email, and the one to show. */
  pictures?: ReadonlyMap<string, string>;
}

/** Elements that are removed with their content. */
const REMOVED = new Set(["script", "iframe", "object", "embed", "applet", "noembed", "frame", "frameset", "portal"]);
/** Tags that are removed: they load external content, or change the target of links. */
const REMOVED_TAGS = new Set(["link", "base"]);

/** True if the email has dark styles of its own. */
export const hasDarkStyles = (html: string) => /prefers-color-scheme\s*:\s*dark/i.test(html);

/** The document of the frame. */
export function frameDocument(html: string, { scheme, pictures = new Map() }: FrameOptions): string {
  const body = forScheme(rewrite(html, pictures), scheme);
  const style = scheme === "light" ? LIGHT : hasDarkStyles(html) ? DARK : INVERTED;
  // Links do not open: the sandbox forbids new windows.
  return `<!doctype html><meta charset="utf-8"><base target="_blank"><style>${BASE}${style}</style>${body}`;
}

const BASE = "body{margin:16px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}table{font-size:inherit}";
const LIGHT = ":root{color-scheme:light;background:#fff}";
const DARK = ":root{color-scheme:dark;background:#1b1b1d}";
/** Mail clients invert an email without dark styles, except for images. */
const INVERTED =
  ":root{color-scheme:light;background:#fff;filter:invert(.9) hue-rotate(180deg)}img,[background]{filter:invert(1) hue-rotate(180deg)}";

/** Resolves the conditions on the colour scheme, so that neither the page's theme nor the reader's matters. */
function forScheme(html: string, scheme: Scheme): string {
  return html.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, wanted: string) =>
    wanted.toLowerCase() === scheme ? "(min-width:0px)" : "(max-width:0px)",
  );
}

function rewrite(html: string, pictures: ReadonlyMap<string, string>): string {
  const edits: (TextRange & { text: string })[] = [];
  let removing: { name: string; start: number } | undefined;
  for (const token of parseHtml(html).tokens) {
    if (removing) {
      if (token.kind === "end" && token.name === removing.name) {
        edits.push({ start: removing.start, end: token.end, text: "" });
        removing = undefined;
      }
    } else if (token.kind === "start") {
      if (REMOVED.has(token.name)) {
        if (token.name === "embed" || token.name === "frame")
          edits.push({ start: token.start, end: token.end, text: "" });
        else removing = { name: token.name, start: token.start };
      } else if (REMOVED_TAGS.has(token.name) || (token.name === "meta" && attributeOf(token, "http-equiv"))) {
        edits.push({ start: token.start, end: token.end, text: "" });
      } else edits.push(...attributeEdits(token, pictures));
    }
  }
  if (removing) edits.push({ start: removing.start, end: html.length, text: "" });
  let text = "";
  let done = 0;
  for (const edit of edits) {
    text += html.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return text + html.slice(done);
}

function attributeEdits(token: StartTag, pictures: ReadonlyMap<string, string>) {
  return token.attributes.flatMap((attribute) => {
    const { name, value, start, end } = attribute;
    if (/^on/.test(name) || name === "srcdoc" || name === "ping" || name === "srcset")
      return [{ start, end, text: "" }];
    if (token.name !== "img" || name !== "src" || /^data:/i.test(value)) return [];
    const shown = pictures.get(value.trim()) ?? placeholder(value.trim());
    return [{ start, end, text: `src="${escapeHtml(shown)}"` }];
  });
}

/** A placeholder for an image that is not loaded, with its name. */
function placeholder(address: string): string {
  const name = parseUrl(address)?.pathname.split("/").at(-1) ?? address;
  const text = escapeHtml(name.length > 24 ? `${name.slice(0, 23)}…` : name || "picture");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="56"><rect x="1" y="1" width="198" height="54" rx="6" fill="#f1f3f5" stroke="#adb5bd" stroke-dasharray="4 3"/><text x="100" y="33" text-anchor="middle" font-family="sans-serif" font-size="12" fill="#495057">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
