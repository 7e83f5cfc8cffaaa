/** Two texts as one, with deletions and insertions marked, for readers. */
import { type ChangeObject, diffArrays, diffLines } from "diff";
import { escapeHtml } from "../../sdk/text/html-escape";

/** Unchanged lines around a change. */
const CONTEXT = 3;

/** Words, whole variables, and single other characters. */
const WORDS = /\{[^{}\r\n]{1,60}\}|[\p{L}\p{N}\p{M}'’_-]+|./gsu;

/** The share of two texts that must be common for the difference to be shown word by word. */
const ALIKE = 0.3;

/** A word diff as HTML; texts that differ too much are shown one after the other. Empty for equal texts. */
export function textDiff(before: string, after: string): string {
  if (before === after) return "";
  // Line ends are invisible: a text that differs in nothing else gets a note.
  const [a, b] = [before, after].map((text) => text.replaceAll("\r\n", "\n")) as [string, string];
  if (a === b) return '<span class="skip">only line ends differ</span>';
  const changes = diffArrays(a.match(WORDS) ?? [], b.match(WORDS) ?? [], { timeout: 500 })?.map((change) => ({
    ...change,
    value: change.value.join(""),
  }));
  const size = (text: string) => text.replace(/\s/g, "").length;
  const common = (changes ?? []).reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : size(value)),
    0,
  );
  if (changes && common >= ALIKE * Math.max(size(a), size(b))) return mark(changes);
  return mark([
    { value: a === "" || a.endsWith("\n") ? a : `${a}\n`, removed: true, added: false, count: 1 },
    { value: b, removed: false, added: true, count: 1 },
  ]);
}

/** A line diff of two sources as HTML. */
export function sourceDiff(before: string, after: string): string {
  if (before === after) return "";
  const changes = diffLines(before, after, { timeout: 2000 });
  return changes ? mark(changes) : '<span class="skip">the sources have hardly a line in common</span>';
}

function mark(changes: ChangeObject<string>[]): string {
  return changes
    .map(({ value, added, removed }, index) => {
      if (value === "") return "";
      if (added) return `<ins>${shown(value)}</ins>`;
      if (removed) return `<del>${shown(value)}</del>`;
      return shorten(value, index === 0, index === changes.length - 1);
    })
    .join("");
}

/** Makes a change of line breaks only visible. */
const shown = (text: string) => (text.trim() === "" ? text.replace(/\n/g, "↵\n") : escapeHtml(text));

function shorten(text: string, isFirst: boolean, isLast: boolean): string {
  const lines = text.split("\n");
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const left = lines.length - head - tail;
  if (left <= 2) return escapeHtml(text);
  const skip = `<span class="skip">⋯ ${left} unchanged lines</span>`;
  const around = [lines.slice(0, head), lines.slice(lines.length - tail)];
  const [before, after] = around.map((part) => escapeHtml(part.join("\n")));
  return [before, skip, after].filter((part) => part !== "").join("\n");
}
