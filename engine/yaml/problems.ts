/** The errors of a YAML program, each with its position. */
import { LineCounter, type Node } from "yaml";

export class Problems {
  /** The text of the program. */
  lines = new LineCounter();
  readonly #found: { offset: number; message: string }[] = [];

  /** @param file its name, for messages */
  constructor(readonly file: string) {}

  add(node: Node | null | undefined, message: string): void {
    this.#found.push({ offset: node?.range?.[0] ?? 0, message });
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** One line for each problem, in the order of the file, without duplicates. */
  toString(): string {
    const inOrder = [...this.#found].sort((a, b) => a.offset - b.offset);
    return [...new Set(inOrder.map(({ offset, message }) => `${this.#placeOf(offset)}: ${message}`))].join("\n");
  }

  #placeOf(offset: number): string {
    const { line, col } = this.lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }
}
