/** Where a text comes from: files, places in them, and texts that were put together from several of them. */

/** A place in a file. Lines and columns count from 1; columns count UTF-16 code units; the end is the place after the last one. */
export interface SourceLocation {
  /** Path below the folder that was read, with slashes. */
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** A file that was read, and the way from an offset in it to line and column. */
export class SourceFile {
  private lineStarts: number[] | undefined;

  constructor(
    /** Path below the folder that was read, with slashes. */
    readonly path: string,
    readonly text: string,
  ) {}

  /** The place from one offset to another (by default, no longer than the one point). */
  place(start: number, end = start): SourceLocation {
    const from = this.point(start);
    const to = this.point(Math.max(start, end));
    return { file: this.path, ...from, endLine: to.line, endColumn: to.column };
  }

  /** A line's text without its end; lines count from 1. */
  line(number: number): string | undefined {
    const starts = this.starts();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    return this.text.slice(start, starts[number] ?? this.text.length).replace(/[\r\n]+$/, "");
  }

  private point(offset: number): { line: number; column: number } {
    const starts = this.starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  private starts(): number[] {
    if (!this.lineStarts) {
      this.lineStarts = [0];
      for (const match of this.text.matchAll(/\r\n|\r|\n/g)) this.lineStarts.push(match.index + match[0].length);
    }
    return this.lineStarts;
  }
}

/** A stretch of a {@link SourcedText}: up to the next one, it came from here. */
export interface Span {
  /** Offset in the text. */
  start: number;
  source: SourceFile;
  /** Offset in the source. */
  offset: number;
  /** Length in the source of what was replaced, when the stretch is not a copy: all of it then has this one place. */
  replaced?: number;
  /** True when the stretch stands for a value that is not known. */
  unresolved?: boolean;
}

/** A text that was put together from stretches of files, and remembers from where. */
export class SourcedText {
  constructor(
    readonly text: string,
    private readonly spans: readonly Span[],
    /** What an empty text is about. */
    private readonly whole: SourceFile,
  ) {}

  /** A text that is one file's text. */
  static of(source: SourceFile): SourcedText {
    return new SourcedText(source.text, [{ start: 0, source, offset: 0 }], source);
  }

  /** Where a stretch of the text came from. When it crosses files, the end is the end of its first part. */
  place(start: number, end = start): SourceLocation {
    const index = this.spanAt(start);
    const span = this.spans[index];
    if (!span) return this.whole.place(0);
    if (span.replaced !== undefined) return span.source.place(span.offset, span.offset + span.replaced);
    const from = span.offset + start - span.start;
    const until = Math.min(end, this.spans[index + 1]?.start ?? this.text.length);
    return span.source.place(from, span.offset + until - span.start);
  }

  /** Whether a value that is not known is part of the stretch. */
  hasUnresolved(start: number, end: number): boolean {
    return this.spans.some(
      (span, index) =>
        span.unresolved && span.start < end && (this.spans[index + 1]?.start ?? this.text.length) > start,
    );
  }

  private spanAt(offset: number): number {
    let low = 0;
    let high = this.spans.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.spans[middle]!.start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
