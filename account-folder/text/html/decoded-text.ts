/** Text with its entities decoded, and where each of its characters stands in the HTML. */
import { type Token, Tokenizer } from "parse5";
import type { TextPiece } from "./visibility";

/** Decoded texts one after the other: tags and comments between them are left out. */
export class DecodedText {
  readonly text: string;
  readonly #starts: number[] = [];
  /** By piece, the offsets of characters; undefined for a piece that is written as it is read. */
  readonly #offsets: (readonly number[] | undefined)[] = [];

  readonly #html: string;
  readonly #pieces: readonly TextPiece[];

  constructor(html: string, pieces: readonly TextPiece[]) {
    this.#html = html;
    this.#pieces = pieces;
    let length = 0;
    for (const { text } of pieces) {
      this.#starts.push(length);
      length += text.length;
    }
    this.text = pieces.map(({ text }) => text).join("");
  }

  /** Where a range of the text stands in the HTML, from the beginning of its first character to the end of its last. */
  place(start: number, end: number): { start: number; end: number } {
    return { start: this.#offset(start), end: this.#offset(end - 1, true) };
  }

  /** The piece that a character belongs to. */
  pieceAt(index: number): TextPiece {
    return this.#pieces[this.#indexAt(index)]!;
  }

  #indexAt(index: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #offset(index: number, isEnd = false): number {
    const at = this.#indexAt(index);
    const { text, start, end } = this.#pieces[at]!;
    const within = index - this.#starts[at]! + (isEnd ? 1 : 0);
    if (end - start === text.length) return start + within;
    this.#offsets[at] ??= offsetsOf(this.#html.slice(start, end), text);
    return start + (this.#offsets[at][within] ?? end - start);
  }
}

const REFERENCE = /&(?:#x[0-9a-f]{1,100}|#[0-9]{1,100}|[a-z][a-z0-9]{1,40});?/iy;

/** The offset in the written text of each character of the decoded one. */
function offsetsOf(written: string, text: string): number[] {
  const offsets: number[] = [];
  let at = 0;
  while (offsets.length < text.length && at < written.length) {
    REFERENCE.lastIndex = at;
    const reference = written[at] === "&" ? REFERENCE.exec(written)?.[0] : undefined;
    const decoded = reference === undefined ? undefined : decodeEntities(reference);
    if (reference !== undefined && decoded !== reference) {
      for (let i = 0; i < decoded!.length; i++) offsets.push(at);
      at += reference.length;
    } else {
      offsets.push(at);
      at += written.startsWith("\r\n", at) ? 2 : 1;
    }
  }
  offsets.push(at);
  return offsets;
}

/** A plain text as if it were read as HTML: people write `&nbsp;` there, too. */
export const decodeReferences = (text: string): string =>
  text.replace(new RegExp(REFERENCE.source, "gi"), decodeEntities).replace(/\r\n?/g, "\n");

/** A text with its entities decoded, as in HTML outside of tags. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  let decoded = "";
  const add = ({ chars }: Token.CharacterToken) => {
    decoded += chars;
  };
  const none = () => {};
  new Tokenizer(
    {},
    {
      onCharacter: add,
      onWhitespaceCharacter: add,
      onNullCharacter: add,
      onStartTag: none,
      onEndTag: none,
      onComment: none,
      onDoctype: none,
      onEof: none,
    },
  ).write(text, true);
  return decoded;
}
