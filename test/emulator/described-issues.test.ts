/** Each message about an invalid setting, option or seed names the member, what is wrong with it, and what is allowed: none is zod's own. */
import { expect, test } from "vitest";
import { start } from "../../emulator";
import { emulatorForTest } from "./use-emulator";

const refusal = (options: object): Promise<string> =>
  start(options as never).then(
    (emulator) => emulator.close().then(() => "accepted"),
    ({ message }: Error) => message,
  );

test.each<[object, string]>([
  [{ latency: -1 }, "must be at least 0, not -1\n  → at latency"],
  [{ latency: "x" }, "must be a number, not a text"],
  [{ processingTime: Number.NaN }, "must be a number, not NaN"],
  [{ listLag: 3 }, "must be an object, not 3\n  → at listLag"],
  [{ faults: {} }, "must be a list, not an object\n  → at faults"],
  [{ faults: [{ kind: "hnag" }] }, 'is not known, did you mean "hang"? One of: latency, status,'],
  [{ faults: [{}] }, "is missing; it must be one of latency, status,"],
  [{ faults: [{ kind: "error" }] }, "is missing; it must be a number\n  → at faults[0].code"],
  [{ faults: [{ kind: "hang", operation: "webhook.create" }] }, 'did you mean "webhooks.create"?'],
  [{ faults: [{ kind: "hang", times: 0 }] }, "must be more than 0, not 0"],
  [{ faults: [{ kind: "hang", times: 1.5 }] }, "must be a whole number, not 1.5"],
  [{ faults: [{ kind: "hang", probability: 2 }] }, "must be at most 1, not 2"],
  [{ faults: [{ kind: "hang", time: 2 }] }, '"time" is not known here, did you mean "times"?'],
  [{ strictness: { bogus: true } }, '"bogus" is not known here; there is '],
  [{ strictness: { subacountUsers: true } }, 'did you mean "subaccountUsers"?'],
  [{ strictness: { subaccountUsers: "no" } }, "must be true or false, not a text"],
  [{ notifications: { timeout: null } }, "must be a number, not null"],
  [{ edition: "curent" }, 'is not known, did you mean "current"? One of: specification, current'],
  [{ latencey: 1 }, '"latencey" is not known here, did you mean "latency"?'],
  [{ host: "" }, "must have at least 1 characters\n  → at host"],
  [{ tls: 3 }, "must be true or false or an object, not 3\n  → at tls"],
  [{ port: 70_000 }, "must be at most 65535, not 70000"],
  [{ seed: { partner: { key: 3 } } }, "must be a text, not 3\n  → at partner.key"],
  [{ seed: { parner: {} } }, '"parner" is not known here, did you mean "partner"?'],
  [{ seed: { partner: { emails: { "email-sent": {} } } } }, 'did you mean "email-send"?'],
])("%j", async (options, words) => {
  const message = await refusal(options);
  expect(message).toMatch(/^(Settings|Options|Seed) of the emulator: ✖ /);
  expect(message).toContain(words);
  expect(message).not.toMatch(/Invalid|Unrecognized|Too (small|big)|expected/);
});

test("no text that was passed is shown: it may be a key", async () => {
  for (const options of [
    { latency: "key_secret" },
    { seed: { partner: { key: ["key_secret"] } } },
    { edition: "key_secret" },
  ])
    expect(await refusal(options)).not.toContain("key_secret");
});

test("a control request is answered in the same words", async () => {
  const { url } = await emulatorForTest();
  const response = await fetch(`${url}/_control/settings`, {
    ...{ method: "PATCH", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ latency: -1, latencey: 3 }),
  });
  const text = await response.text();
  expect(text).toMatch(/must be at least 0, not -1/);
  expect(text).toMatch(/did you mean .*latency/);
});
