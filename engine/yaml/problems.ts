/** What is wrong with a YAML program, each with its place. */
import { LineCounter, type Node } from "yaml";

export class Problems {
  /** Of the program that is checked. */
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

  /** One line for each, in the order of the file; none twice. */
  toString(): string {
    const inOrder = [...this.#found].sort((a, b) => a.offset - b.offset);
    return [...new Set(inOrder.map(({ offset, message }) => `${this.#placeOf(offset)}: ${message}`))].join("\n");
  }

  #placeOf(offset: number): string {
    const { line, col } = this.lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }
}
