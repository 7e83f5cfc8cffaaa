/** An error's summary is its message without the operation, which other texts name themselves. */
import { expect, test } from "vitest";
import { ApiError, ConnectionError, InputError, markMayHaveSucceeded, TimeoutError } from "../../sdk/errors";
import { waitEvent } from "../../sdk/request/announce-waits";

const context = { operation: "webhooks.create", method: "POST", path: "/v1/webhooks" };

test.each([
  [new ConnectionError("webhooks.create: POST /v1/webhooks failed", context), "POST /v1/webhooks failed"],
  [new InputError(context, [{ path: "url", message: "is missing" }]), "url is missing"],
  [new TimeoutError("waitFor: after 5 ms", context), "waitFor: after 5 ms"],
  [new TimeoutError("undefined: late", {}), "undefined: late"],
  [
    markMayHaveSucceeded(
      new ApiError("webhooks.create: webhooks.create: 500", context, 500, 1, undefined, undefined),
      true,
    ),
    "webhooks.create: 500; the request may have succeeded",
  ],
])("%s", (error, summary) => expect(error.summary).toBe(summary));

test("a wait names its operation once, whatever the cause begins with", () => {
  const wait = { reason: "retry", remaining: 2000, cause: "webhooks.create: is not known" } as const;
  const { message } = waitEvent("webhooks.create", wait, Promise.resolve());
  expect(message).toMatch(/^webhooks\.create: webhooks\.create: is not known; /);
});
