/** The last lines of what a process prints, however much that is. */

/** Characters of all lines together. */
const mostCharacters = 20_000;

export class OutputTail {
  #lines: string[] = [];
  #characters = 0;
  #isCut = false;

  add(line: string): void {
    const kept = line.length > mostCharacters ? `${line.slice(0, mostCharacters - 1)}…` : line;
    this.#lines.push(kept);
    this.#characters += kept.length;
    // Not at each line: removing the first of many is slow.
    if (this.#characters > 2 * mostCharacters || this.#lines.length > 2 * mostCharacters) this.#drop();
  }

  /** With a mark where earlier lines are missing. */
  get text(): string {
    this.#drop();
    return [...(this.#isCut ? ["…"] : []), ...this.#lines].join("\n");
  }

  #drop(): void {
    let [first, left] = [0, this.#characters + this.#lines.length];
    for (; left > mostCharacters + 1; first++) left -= this.#lines[first]!.length + 1;
    if (first === 0) return;
    this.#isCut = true;
    this.#lines = this.#lines.slice(first);
    this.#characters = left - this.#lines.length;
  }
}
