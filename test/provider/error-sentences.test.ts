/** What an error says of the outcome, it says once, and of each outcome one thing: whatever failed, at whichever step. */
import { expect, it } from "vitest";
import { WriteFailure } from "../../provider/core/failure";
import { PartialFailure } from "../../provider/core/partial-failure";
import { type LifecycleVerb, providerError } from "../../provider/lifecycle/describe-error";
import { definitions } from "../../provider/resources";
import {
  AbortedError,
  ApiError,
  ConnectionError,
  InvalidResponseError,
  NoResponseError,
  TimeoutError,
} from "../../sdk";

const context = { operation: "webhooks.update", method: "PUT", path: "/v1/webhooks/7" };
const errors = [false, true].flatMap((isUnknown) => [
  new AbortedError("webhooks.update was not sent: the run was cancelled", context, isUnknown),
  new ConnectionError("webhooks.update: connection refused", context, isUnknown),
  new NoResponseError("webhooks.update: no response", context, isUnknown),
  new TimeoutError("webhooks.update: no response in 60 s", context, isUnknown),
  new InvalidResponseError("webhooks.update: HTML", context, 200, isUnknown),
  ...[10010, undefined].map(
    (code) => new ApiError("webhooks.update: refused", context, 500, code, undefined, undefined, isUnknown),
  ),
]);
const verbs: LifecycleVerb[] = ["diff", "create", "read", "update", "delete"];
const steps: [string, (cause: unknown) => unknown][] = [
  ["by itself", (cause) => cause],
  ["a write", (cause) => new WriteFailure({ url: "https://a.example/" }, {}, cause)],
  ["a write that is applied in part", (cause) => new WriteFailure({ url: "https://a.example/" }, {}, cause, true)],
  ["after a create", (cause) => new PartialFailure("7", {}, cause)],
  ["a write after a create", (cause) => new PartialFailure("7", {}, new WriteFailure({ url: "b" }, {}, cause))],
];

it.each(steps)("%s", (_, failureOf) => {
  for (const error of errors)
    for (const verb of verbs) {
      const definition = definitions.webhook;
      const { message } = providerError(failureOf(error), {
        ...{ definition, name: "hook", verb, args: {} },
        redact: (text) => text,
      });
      const sentences = message.split(/[.;] /).map((sentence) => sentence.replace(/\.$/, "").toLowerCase());
      expect(new Set(sentences).size, message).toBe(sentences.length);
      const outcomes = [/nothing was changed/i, /earlier request was applied/i, /may have succeeded/i, /and recorded/i];
      const found = outcomes.filter((outcome) => outcome.test(message));
      if (found.includes(outcomes[0]!)) expect(found, message).toEqual([outcomes[0]]);
    }
});
