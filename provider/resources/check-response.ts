/** Answers that say success and are none. */
import { Failure, MismatchedResponse } from "../core/failure";

/** Refuses the answer of a write that changed nothing: with a test key the service says success and does nothing. */
export function assertNotTestKey(answer: Record<string, unknown>): void {
  if (answer.test === true) {
    throw new Failure(
      "the key is a test key: the service said success and changed nothing; use the account's live key",
    );
  }
}

/** Refuses an answer about another object than the one that was asked for. */
export function assertSameId(answered: string | undefined, asked: string): void {
  if (answered !== undefined && answered !== asked) {
    throw new MismatchedResponse(
      `the service was asked about ${asked} and answered about another object, so nothing of the answer is kept. Run the same command again; if it goes on, ask the service's support, or look at what stands between`,
    );
  }
}
