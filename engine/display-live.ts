/**
 * The moving part of a terminal: a few lines at the bottom that are repainted, below lines that stay. Each repaint is one
 * write in which every line overwrites the old one, so nothing flickers.
 */

const esc = "\u001b[";

export class LiveRegion {
  private painted = 0;

  constructor(private readonly write: (text: string) => void) {}

  /** Writes lines that stay, then repaints the moving ones below them. */
  paint(stay: readonly string[], moving: readonly string[]): void {
    if (stay.length === 0 && moving.length === 0 && this.painted === 0) return;
    let frame = this.painted > 0 ? `${esc}${this.painted}A\r` : "";
    // Clearing to the end of each line after its text, not the line before it: the old text never disappears first.
    for (const line of [...stay, ...moving]) frame += `${line}${esc}K\n`;
    if (this.painted > stay.length + moving.length) frame += `${esc}J`;
    // Terminals that know synchronised output show the frame at once; the others ignore this.
    this.write(
      `${esc}?2026h${this.painted === 0 && moving.length > 0 ? `${esc}?25l` : ""}${frame}${moving.length === 0 ? `${esc}?25h` : ""}${esc}?2026l`,
    );
    this.painted = moving.length;
  }
}
