/** Source files, locations in them, and texts composed of several files that know where each part is from. */

/** A range in a file. Lines and columns start at 1; columns count UTF-16 code units; the end is exclusive. */
export interface SourceLocation {
  /** Path below the folder that was read, with slashes. */
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** A file that was read; converts offsets in it to lines and columns. */
export class SourceFile {
  #lineStarts: number[] | undefined;

  constructor(
    /** Path below the folder that was read, with slashes. */
    readonly path: string,
    readonly text: string,
  ) {}

  /** The location from one offset to another (default: an empty range). */
  place(start: number, end = start): SourceLocation {
    const from = this.#point(start);
    const to = this.#point(Math.max(start, end));
    return { file: this.path, ...from, endLine: to.line, endColumn: to.column };
  }

  /** A line's text without its line end; lines start at 1. */
  line(number: number): string | undefined {
    const starts = this.#starts();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    return this.text.slice(start, starts[number] ?? this.text.length).replace(/[\r\n]+$/, "");
  }

  #point(offset: number): { line: number; column: number } {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  #starts(): number[] {
    if (!this.#lineStarts) {
      this.#lineStarts = [0];
      for (const match of this.text.matchAll(/\r\n|\r|\n/g)) this.#lineStarts.push(match.index + match[0].length);
    }
    return this.#lineStarts;
  }
}

/** A part of a {@link SourcedText}, up to the next span, and its source. */
export interface Span {
  /** Offset in the text. */
  start: number;
  source: SourceFile;
  /** Offset in the source. */
  offset: number;
  /** Length in the source of a placeholder that was replaced: all of the text then has its location. */
  replaced?: number;
  /** True for a placeholder without a value. */
  unresolved?: boolean;
}

/** A text composed of parts of files, with their locations. */
export class SourcedText {
  readonly #spans: readonly Span[];
  /** Its own file. */
  readonly #whole: SourceFile;

  constructor(
    readonly text: string,
    spans: readonly Span[],
    whole: SourceFile,
  ) {
    this.#spans = spans;
    this.#whole = whole;
  }

  /** The text of one file. */
  static of(source: SourceFile): SourcedText {
    return new SourcedText(source.text, [{ start: 0, source, offset: 0 }], source);
  }

  /** The location of a range of the text. If it crosses files, it ends with its first part. */
  place(start: number, end = start): SourceLocation {
    const index = this.#spanAt(start);
    const span = this.#spans[index];
    if (!span) return this.#whole.place(0);
    if (span.replaced !== undefined) return span.source.place(span.offset, span.offset + span.replaced);
    const from = span.offset + start - span.start;
    const until = Math.min(end, this.#spans[index + 1]?.start ?? this.text.length);
    return span.source.place(from, span.offset + until - span.start);
  }

  /** The beginning of its own file, not of a partial that it begins with. */
  get beginning(): SourceLocation {
    return this.#whole.place(0);
  }

  /** Whether the range contains a placeholder without a value. */
  hasUnresolved(start: number, end: number): boolean {
    return this.#spans.some(
      (span, index) =>
        span.unresolved && span.start < end && (this.#spans[index + 1]?.start ?? this.text.length) > start,
    );
  }

  #spanAt(offset: number): number {
    let low = 0;
    let high = this.#spans.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#spans[middle]!.start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
