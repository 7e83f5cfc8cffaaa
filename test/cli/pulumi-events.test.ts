/** The events that are made of a log of the Pulumi CLI, where its form is not that of the built-in engine's own log. */
import { expect, it } from "vitest";
import { toLoggedEvents } from "../../cli/automation/logged-events";
import { EventReader } from "../../cli/engine/pulumi-events";
import { SIG_KEY, SignatureKind } from "../../engine/resource/signatures";
import { waits } from "./display-events";

type Logged = Parameters<EventReader["read"]>[0];
const urn = "urn:pulumi:dev::shop::esign:index:Webhook::w";
const stack = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
const secret = { [SIG_KEY]: SignatureKind.secret, ciphertext: "[secret]" };
const inClear = { [SIG_KEY]: SignatureKind.secret, plaintext: '{"a":"hush"}' };

const read = (log: object[], options: { preview?: boolean; showSecrets?: boolean } = {}) => {
  const reader = new EventReader({ operation: "update", preview: false, project: "shop", stack: "dev", ...options });
  return log.flatMap((event) => reader.read(event as Logged));
};
const step = (more: object = {}) => ({
  op: "update",
  urn,
  type: "esign:index:Webhook",
  old: { custom: true, id: "7", inputs: {}, outputs: {} },
  new: { custom: true, id: "", inputs: {}, outputs: {} },
  ...more,
});
const diagnostic = (more: object) => ({ diagnosticEvent: { color: "never", severity: "info", message: "", ...more } });

it("an operation begins, and ends with the time that it took; to do nothing does not begin", () => {
  const [started, done] = read([{ resourcePreEvent: { metadata: step() } }, { resOutputsEvent: { metadata: step() } }]);
  expect(started).toMatchObject({ type: "step", status: "started", step: { op: "update", id: "7", name: "w" } });
  expect(done).toMatchObject({ type: "step", status: "done", elapsedMs: expect.any(Number) });
  expect(read([{ resourcePreEvent: { metadata: step({ op: "same" }) } }])).toEqual([]);
  expect(read([{ resOpFailedEvent: { metadata: step() } }])).toMatchObject([{ status: "failed" }]);
});

it("of a refresh it says what was found, in a plan and in a run", () => {
  const found = (op: string, preview: boolean) =>
    read(
      [
        { resourcePreEvent: { metadata: step({ op: "refresh" }) } },
        { resOutputsEvent: { metadata: step({ op, old: { outputs: { a: 1 } }, new: { outputs: { a: 2 } } }) } },
      ],
      { preview },
    ).at(-1);
  for (const preview of [true, false])
    expect(found("update", preview)).toMatchObject({
      status: preview ? "planned" : "done",
      step: { op: "refresh", result: "update", diffs: [{ path: "a", before: 1, after: 2 }] },
    });
  expect(found("delete", false)).toMatchObject({ step: { op: "refresh", result: "delete" } });
  expect(found("same", false)).toMatchObject({ step: { op: "refresh", result: "same" } });
});

it.each([
  ["1 error occurred:\n\t* Settings: a field is unchanged.\n  Rerun\n\n", "Settings: a field is unchanged.\n  Rerun"],
  ["2 errors occurred:\n\t* first\n\t* second\n  more\n\n", "first\nsecond\n  more"],
  ["then: 1 error occurred:\n\t* kept", "then: 1 error occurred:\n\t* kept"],
  ["two:\n\t* kept", "two:\n\t* kept"],
])("of %j the display gets the errors, as from the built-in engine", (message, expected) => {
  expect(read([diagnostic({ message, severity: "error", urn })])).toMatchObject([{ message: expected, urn }]);
});

it("differences are those of the provider, else those of the inputs; the provider's code is not a difference", () => {
  const before = { custom: true, id: "7", inputs: { a: { b: 1 }, __provider: "x" }, outputs: { c: "old" } };
  const after = { custom: true, id: "", inputs: { a: { b: 2 }, __provider: "y" }, outputs: {} };
  const diffs = (more: object) =>
    read([{ resourcePreEvent: { metadata: step({ old: before, new: after, ...more }) } }]).map(
      (event) => (event as { step: object }).step,
    );
  expect(diffs({ keys: ["a"] })).toMatchObject([
    { diffs: [{ path: "a.b", kind: "update", replaces: true, before: 1, after: 2 }] },
  ]);
  const detailedDiff = {
    "a.b": { diffKind: "update-replace", inputDiff: true },
    c: { diffKind: "delete", inputDiff: false },
  };
  expect(diffs({ detailedDiff })).toMatchObject([
    {
      diffs: [
        { path: "a.b", kind: "update", replaces: true, before: 1, after: 2 },
        { path: "c", kind: "delete", replaces: false, before: "old" },
      ],
    },
  ]);
});

it("secrets stay closed unless they are asked for", () => {
  const created = (value: object) => ({
    resourcePreEvent: { metadata: step({ op: "create", old: null, new: { inputs: { list: [value] } } }) },
  });
  expect(read([created(secret)])).toMatchObject([{ step: { inputs: { list: ["[secret]"] } } }]);
  expect(read([created(inClear)])).toMatchObject([{ step: { inputs: { list: ["[secret]"] } } }]);
  expect(read([created(inClear)], { showSecrets: true })).toMatchObject([
    { step: { inputs: { list: [{ a: "hush" }] } } },
  ]);
});

it("the outputs of the stack are the last ones, once, before the end", () => {
  const outputs = (after: object) => ({
    resOutputsEvent: {
      metadata: step({
        op: "same",
        urn: stack,
        type: "pulumi:pulumi:Stack",
        old: { outputs: { a: 1 } },
        new: { outputs: after },
      }),
    },
  });
  const events = read([
    outputs({ a: 1 }),
    outputs({ a: 2, key: secret }),
    { summaryEvent: { resourceChanges: { same: 1 } } },
  ]);
  expect(events.map(({ type }) => type)).toEqual(["step", "outputs", "end"]);
  expect(events[1]).toEqual({ type: "outputs", before: { a: 1 }, outputs: { a: 2, key: "[secret]" } });
  expect(events[2]).toMatchObject({ result: { ok: true, changes: { same: 1 } } });
});

it("messages are without marks of colours, the CLI's debug lines, and its word at the end", () => {
  expect(
    read([
      diagnostic({ message: "<{%fg 1%}>one<{%reset%}>\n\n" }),
      diagnostic({ message: "two\n", severity: "info#err" }),
      diagnostic({ message: "RegisterResource RPC prepared\n", severity: "debug" }),
      diagnostic({ message: "update failed\n", severity: "error" }),
      diagnostic({ message: "wrong\n", severity: "error", urn }),
    ]),
  ).toEqual([
    { type: "diagnostic", severity: "info", message: "one", source: "program" },
    { type: "diagnostic", severity: "info", message: "two", stderr: true, source: "program" },
    { type: "diagnostic", severity: "error", message: "wrong", urn, source: "engine" },
  ]);
});

it("what is shown only while it lasts is marked in the logs of both engines, and its end has no words", () => {
  const events = ["no response for 2 s", ""].map(waits);
  expect(read(events.flatMap(toLoggedEvents()))).toEqual(events);
});

it.each([
  ["mandatory", "error"],
  ["advisory", "warning"],
])("a violation of a %s policy is an %s", (enforcementLevel, severity) => {
  const policyEvent = {
    resourceUrn: urn,
    message: "no\n",
    policyName: "https",
    policyPackName: "p",
    policyPackVersion: "1.0.0",
  };
  expect(read([{ policyEvent: { ...policyEvent, enforcementLevel } }])).toEqual([
    { type: "diagnostic", severity, message: `${enforcementLevel} policy https (p@v1.0.0): no`, urn, source: "engine" },
  ]);
});
