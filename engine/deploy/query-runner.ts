/**
 * Answers what the planner asks, by asking providers.
 *
 * Serves: Check and Diff of ResourceProvider.
 */

import type { Ask, Question, Step } from "../plan/step";
import { DiffUnavailable, type Provider } from "../plugin/provider";
import type { ResourceState } from "../resource/state";

/** Reads what a refresh in the course of planning is about. */
export type Refresh = (step: Step) => Promise<ResourceState | undefined>;

const NO_REFRESH: Refresh = () => Promise.reject(new Error("nothing can be refreshed here"));

export class Questions {
  constructor(private readonly provider: (reference: string) => Provider) {}

  /** Runs a generator of the planner's to its end. */
  async answer<T>(asking: Ask<T>, refresh: Refresh = NO_REFRESH): Promise<T> {
    let next = asking.next();
    while (!next.done) {
      let reply: unknown;
      try {
        reply = await this.reply(next.value, refresh);
      } catch (error) {
        next = asking.throw(error);
        continue;
      }
      next = asking.next(reply);
    }
    return next.value;
  }

  private async reply(q: Question, refresh: Refresh): Promise<unknown> {
    switch (q.ask) {
      case "check":
        return this.provider(q.provider).check(q.urn, q.olds, q.news);
      case "diff":
        try {
          return await this.provider(q.provider).diff(q.urn, q.id, q.oldInputs, q.oldOutputs, q.news, q.ignoreChanges);
        } catch (error) {
          if (!(error instanceof DiffUnavailable)) throw error;
          return { changes: "some", replaces: [], deleteBeforeReplace: false, unavailable: error.message };
        }
      case "refresh":
        return refresh(q.step);
    }
  }
}
