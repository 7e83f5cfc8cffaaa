/** Maps texts to the files that they come from: source files, locations in them, and texts that are composed of several files. */

/** A range in a file. Lines and columns start at 1; columns count UTF-16 code units; the end is exclusive. */
export interface SourceLocation {
  /** Path relative to the folder that was read, with slashes. */
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** A file that was read. Converts offsets to lines and columns. */
export class SourceFile {
  #lineStarts: number[] | undefined;

  constructor(
    /** Path relative to the folder that was read, with slashes. */
    readonly path: string,
    readonly text: string,
  ) {}

  /** The location from one offset to another (default: an empty range). */
  place(start: number, end = start): SourceLocation {
    const from = this.#point(start);
    const to = this.#point(Math.max(start, end));
    return { file: this.path, ...from, endLine: to.line, endColumn: to.column };
  }

  /** The text of a line, counted from 1, without its line ending. */
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

/** A part of a {@link SourcedText} that comes from one file. It ends where the next span starts. */
export interface Span {
  /** Offset in the composed text. */
  start: number;
  source: SourceFile;
  /** Offset in the file. */
  offset: number;
  /** Length of the placeholder in the file, if the span is its value. The whole span then has the location of the placeholder. */
  replaced?: number;
  /** True for a placeholder without a value. */
  unresolved?: boolean;
}

/** A text composed of parts of files. It knows the location of each part. */
export class SourcedText {
  readonly #spans: readonly Span[];
  /** The file that the text belongs to, as opposed to the partials that it includes. */
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

  /** The location of a range of the text. If the range spans several files, the location is that of its first part. */
  place(start: number, end = start): SourceLocation {
    const index = this.#spanAt(start);
    const span = this.#spans[index];
    if (!span) return this.#whole.place(0);
    if (span.replaced !== undefined) return span.source.place(span.offset, span.offset + span.replaced);
    const from = span.offset + start - span.start;
    const until = Math.min(end, this.#spans[index + 1]?.start ?? this.text.length);
    return span.source.place(from, span.offset + until - span.start);
  }

  /** The beginning of the text's own file, even if the text begins with a partial. */
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
