/**
 * Conditional comments: Outlook reads what other mail clients take for a comment (`<!--[if mso]>…<![endif]-->`), and skips what
 * they read (`<![if !mso]>…<![endif]>`, also written `<!--[if !mso]><!-->…<!--<![endif]-->`).
 */

interface CommentToken {
  kind: string;
  start: number;
  end: number;
}

const OPENS_HIDDEN = /^<!--\s*\[if\b([^\]]{0,200})\]>/i;
const OPENS_SHOWN = /^<!(?:--\s*)?\[if\b([^\]]{0,200})\]\s*(?:>\s*(?:<!(?:--\s*)?)?-->|(?:--)?>)$/i;
const CLOSES = /^<!(?:--\s*<!)?\s*\[endif\]\s*(?:--)?>$/i;
/** Also the end of what others read, as people write it at the end of what they do not. */
const HIDDEN_END = /(?:(?:<!--\s*)?<!\s*\[endif\]\s*)?-->$/i;

/** Whether a comment is a conditional one, or a marker of one: `<![if !vml]>`, which is no valid HTML, `<!--[if !mso]><!-- -->`. */
export const isConditional = (comment: string): boolean =>
  OPENS_HIDDEN.test(comment) || OPENS_SHOWN.test(comment) || CLOSES.test(comment);

/** Whether only Outlook reads the comment's content. */
export const isForOutlook = (comment: string): boolean =>
  OPENS_HIDDEN.test(comment) && !OPENS_SHOWN.test(comment) && comment.endsWith("-->");

/**
 * The HTML as Outlook reads it, with spaces in place of what it does not read, so that each part keeps its place. Undefined
 * without conditional comments.
 * @param isStrict without the hidden parts that are for others, such as `<!--[if IE]>`; else some version is taken to read them
 */
export function outlookView(html: string, tokens: readonly CommentToken[], isStrict = false): string | undefined {
  const blanks: { start: number; end: number }[] = [];
  /** Parts that others read: where they begin, if Outlook skips them. */
  const open: (number | undefined)[] = [];
  for (const { kind, start, end } of tokens) {
    if (kind !== "comment") continue;
    const comment = html.slice(start, end);
    const shown = OPENS_SHOWN.exec(comment);
    if (shown) open.push(holdsInOutlook(shown[1]!) ? undefined : start);
    else if (CLOSES.test(comment)) {
      const from = open.pop();
      // Parts within a part that is skipped are skipped with it.
      if (from !== undefined && !open.some((outer) => outer !== undefined)) blanks.push({ start: from, end });
    } else if (isForOutlook(comment)) {
      const [{ length: marker }, condition] = OPENS_HIDDEN.exec(comment)!;
      if (isStrict && !holdsInOutlook(condition!)) {
        blanks.push({ start, end });
        continue;
      }
      blanks.push({ start, end: start + marker });
      // Within it there may be a comment, which then ends here.
      const inner = comment.slice(marker);
      const closing = HIDDEN_END.exec(inner)![0];
      if (closing.length > 3 || !inner.includes("<!--")) blanks.push({ start: end - closing.length, end });
    }
  }
  if (blanks.length === 0) return undefined;
  let text = "";
  for (const { start, end } of blanks.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= text.length) continue;
    text += html.slice(text.length, start) + " ".repeat(end - Math.max(start, text.length));
  }
  return text + html.slice(text.length);
}

/** Whether a condition such as `(gte mso 9)|(IE)` may hold in Outlook, which reads HTML as Word does. */
function holdsInOutlook(condition: string): boolean {
  let rest = condition
    .replace(/(?:\b(?:lte?|gte?|eq)\s+)?\b([a-z]\w*)\b(?:\s*[\d.]+)?/gi, (_, name: string) =>
      /^(?:mso|vml|o|true)$/i.test(name) ? "1" : "0",
    )
    .replace(/\s+/g, "");
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest
      .replace(/\(([01])\)/g, "$1")
      .replace(/!([01])/g, (_, value: string) => (value === "1" ? "0" : "1"))
      .replace(/(?<![!])([01])&([01])/g, (_, a: string, b: string) => (a === "1" && b === "1" ? "1" : "0"))
      .replace(/(?<![!&])([01])\|([01])(?!&)/g, (_, a: string, b: string) => (a === "1" || b === "1" ? "1" : "0"));
  }
  return rest !== "0";
}
