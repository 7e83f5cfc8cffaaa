/**
 * What a test of many cases says. Who walks through all of them, which takes hours, sees each case when it is over, and what is
 * wrong at once: the walk can be ended there, and gone on with from the next case.
 */
import { expect } from "vitest";

export class Progress {
  readonly #problems: string[] = [];

  constructor(
    private readonly title: string,
    private readonly isAloud: boolean,
  ) {}

  say(text: string): void {
    if (this.isAloud) console.log(`${this.title}: ${text}`);
  }

  /** Something is wrong. The walk goes on. */
  problem(text: string): void {
    this.#problems.push(text);
    this.say(text);
  }

  /** Expects no problems, and says all of them otherwise. */
  end(): void {
    none(this.#problems);
  }
}

/** Expects none of what a list says, and says all of it otherwise. */
export const none = (problems: readonly string[]) => expect(problems, problems.join("\n")).toEqual([]);

/** In words, what was thrown. */
export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
