/**
 * The moving part of a terminal: a few lines at the bottom that are repainted, below lines that stay. Each repaint is one
 * write in which every line overwrites the old one, so nothing flickers.
 */

import { stripVTControlCharacters } from "node:util";
import width from "string-width";

const esc = "\u001b[";

export class LiveRegion {
  /** Widths of the moving lines as they were painted. */
  #widths: number[] = [];

  readonly #write: (text: string) => void;
  readonly #columns: () => number;

  constructor(write: (text: string) => void, columns: () => number) {
    this.#write = write;
    this.#columns = columns;
  }

  /** The rows that the moving lines take now: a terminal that was made narrower has broken them. */
  get #painted(): number {
    const columns = Math.max(1, this.#columns());
    return this.#widths.reduce((rows, w) => rows + Math.max(1, Math.ceil(w / columns)), 0);
  }

  /** Writes lines that stay, then repaints the moving ones below them. */
  paint(stay: readonly string[], moving: readonly string[]): void {
    const painted = this.#painted;
    if (stay.length === 0 && moving.length === 0 && painted === 0) return;
    let frame = painted > 0 ? `${esc}${painted}A\r` : "";
    // Clearing to the end of each line after its text, not the line before it: the old text never disappears first.
    for (const line of [...stay, ...moving]) frame += `${line}${esc}K\n`;
    if (painted > stay.length + moving.length) frame += `${esc}J`;
    // Terminals that know synchronised output show the frame at once; the others ignore this.
    this.#write(
      `${esc}?2026h${painted === 0 && moving.length > 0 ? `${esc}?25l` : ""}${frame}${moving.length === 0 ? `${esc}?25h` : ""}${esc}?2026l`,
    );
    this.#widths = moving.map((line) => width(stripVTControlCharacters(line)));
  }
}
