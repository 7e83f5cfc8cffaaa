/** One piece of advice for a rejected key, wherever it is reported. */
import { expect, test } from "vitest";
import { WriteFailure } from "../../provider/core/failure";
import { type ErrorContext, type LifecycleVerb, providerError } from "../../provider/lifecycle/describe-error";
import { definitions } from "../../provider/resources";
import { explain, explainStatus } from "../../sdk";
import { ApiError, InputError } from "../../sdk/errors";

const advice = "Set apiKey to a current key of the account at baseUrl. Rotated and deleted keys stop working at once.";
const messageOf = (verb: LifecycleVerb, companyId?: string) => {
  const definition = definitions.webhook;
  const context: ErrorContext = { definition, verb, args: {}, redact: (text) => text };
  return providerError(
    new ApiError("refused", { operation: "webhooks.list", companyId }, 401, 10002, undefined, undefined),
    context,
  ).message;
};

test("every code of a rejected key has the same advice", () => {
  for (const code of [10002, 10005, 10006]) expect(explain(code)?.fix).toBe(advice);
  expect(explainStatus(401).fix).toBe(advice);
});

test("whatever code the service gives, 401 is a wrong key, and no reason to look for a proxy or a field", () => {
  for (const code of [undefined, 10001, 10003, 10007, 10010, 10300, 10551, 99999]) {
    const error = new ApiError("refused", { operation: "branding.get" }, 401, code, undefined, undefined);
    expect(error.advice()).toMatchObject({ cause: "The API key is not valid.", fix: advice });
    expect(error.advice().field).toBeUndefined();
  }
  // In a preview the first request reads, whatever is to be done with the resource.
  expect(messageOf("create")).toMatch(
    /^Webhook: the API key is wrong: refused\. Nothing was changed\. Set esign:apiKey/,
  );
});

test("what is read first is named as that, and not as the write that is planned", () => {
  const definition = definitions.branding;
  for (const verb of ["create", "update"] as const)
    for (const [method, text] of [
      [
        "GET",
        /^Branding: cannot read the account: \w+ \/v1\/branding returned 404: no such URL\. Nothing was changed\./,
      ],
      ["PUT", new RegExp(`^Branding: cannot ${verb}: branding\\.call: PUT `)],
    ] as const) {
      const call = { operation: "branding.call", method, path: "/v1/branding" };
      const error = new ApiError(
        `branding.call: ${method} /v1/branding returned 404: no such URL`,
        call,
        ...([404, 10003, undefined, undefined] as const),
      );
      const context: ErrorContext = { definition, verb, args: {}, redact: (text) => text };
      expect(providerError(error, context).message).toMatch(text);
    }
});

test("resources repeat it, and add whose key it is only where it is not the configured one", () => {
  const words = advice.replace(/apiKey|baseUrl/g, "esign:$&").slice(0, -1);
  expect(messageOf("update")).toContain(words);
  expect(messageOf("update")).not.toContain("run `up`");
  expect(messageOf("read")).toContain(`${words}. refresh and destroy use the key of the last \`up\``);
  const ofCompany = messageOf("read", "4711");
  expect(ofCompany).toContain("The key is that of subaccount 4711");
  expect(ofCompany).not.toMatch(/Set apiKey to a current key|run `up`/);
});

test("messages keep the words of enums and the client's own, whatever values a resource has", () => {
  const user = definitions.user;
  const context: ErrorContext = {
    definition: user,
    verb: "update",
    args: { name: "/v1/", email: "users@example.com", role: "standard" },
    redact: (text) => text,
  };
  const call = { operation: "users.update", method: "PUT", path: "/v1/users/17" };
  const text = "users.update: PUT /v1/users/17 returned 400: no user: users@example.com is taken";
  const { message } = providerError(new ApiError(text, call, 400, undefined, undefined, undefined), context);
  expect(message).toContain("users.update: PUT /v1/users/17 returned 400: no user: [value] is taken");
  const rule = "setting_x must be true or false";
  const failure = new WriteFailure(
    { "other.setting_x": '"seldom"' },
    { emailPdfAttach: "true" },
    new InputError({}, [{ path: "setting_x", message: "must be true or false, not seldom" }]),
  );
  const settings: ErrorContext = { ...context, definition: definitions.settings, args: { emailPdfAttach: "false" } };
  expect(providerError(failure, settings).message).toContain(`${rule}, not [value]`);
});

test("messages are what a header can have: gRPC ends the process for half of a surrogate pair, which JSON may hold", () => {
  const context: ErrorContext = { definition: definitions.user, verb: "read", args: {}, redact: String };
  const call = { operation: "users.get", method: "GET", path: "/v1/users/17" };
  const answer = JSON.parse(String.raw`"no user \ud83d"`);
  const messages = [answer, "\u{1F600}".repeat(50_000)].map(
    (text) => providerError(new ApiError(text, call, 400, undefined, undefined, undefined), context).message,
  );
  expect(messages[0]).toContain("no user \ufffd");
  for (const message of messages) expect(encodeURIComponent(message).length).toBeLessThan(65_536);
});
