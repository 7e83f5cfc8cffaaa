import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import {
  expressReceiver,
  fastifyReceiver,
  fetchReceiver,
  lambdaReceiver,
  nodeReceiver,
  type ReceiveOptions,
  ReceiverError,
  type ReceiverOptions,
  type RequestHeaders,
  receive,
  sign,
} from "../../receiver";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../../sdk/api/notification-headers";
import { fc } from "../chance";
import { classic, formOf } from "../fixtures/notifications";

const body = formOf(classic["signed-envelope"]);
const now = () => 1_710_000_000_000;
const options: ReceiveOptions = { secrets: "s3cret", now };
const signed = (of: string | Uint8Array = body, secret = "s3cret", seconds = 1_710_000_000) => ({
  [SIGNATURE_HEADER]: createHmac("sha256", secret).update(of).digest("base64"),
  [TIMESTAMP_HEADER]: String(seconds),
});
const codeOf = (headers: RequestHeaders, of: string | Uint8Array = body, its = options) => {
  try {
    receive(headers, of, its);
    return "accepted";
  } catch (error) {
    expect(error).toBeInstanceOf(ReceiverError);
    expect((error as Error).message).not.toContain("s3cret");
    return (error as ReceiverError).code;
  }
};

test("a signed notification is accepted, as text and as bytes", () => {
  expect(codeOf(signed())).toBe("accepted");
  expect(codeOf(signed(), Buffer.from(body))).toBe("accepted");
  expect(codeOf(signed(), new Uint8Array(Buffer.from(body)))).toBe("accepted");
  expect(sign(body, "s3cret")).toBe(signed()[SIGNATURE_HEADER]);
});

test("of several secrets any may have signed", () => {
  for (const secret of ["old", "new"]) {
    expect(codeOf(signed(body, secret), body, { ...options, secrets: ["new", "old"] })).toBe("accepted");
    expect(codeOf(signed(body, secret))).toBe("signature-wrong");
  }
});

test("a wrong, missing or old signature, each with its code", () => {
  const { [SIGNATURE_HEADER]: signature, [TIMESTAMP_HEADER]: timestamp } = signed();
  expect(codeOf({ [TIMESTAMP_HEADER]: timestamp })).toBe("signature-missing");
  expect(codeOf({ ...signed(), [SIGNATURE_HEADER]: "" })).toBe("signature-missing");
  expect(codeOf({ ...signed(), [SIGNATURE_HEADER]: "bXlfc2lnbmF0dXJl" })).toBe("signature-wrong");
  expect(codeOf({ ...signed(), [SIGNATURE_HEADER]: `sha256=${signature}` })).toBe("signature-wrong");
  expect(codeOf({ ...signed(), [SIGNATURE_HEADER]: [signature!, signature!] })).toBe("signature-wrong");
  expect(codeOf({ [SIGNATURE_HEADER]: signature })).toBe("timestamp-missing");
  for (const wrong of ["", "soon", "-5", "1e9", "1710000000.5"]) {
    expect(codeOf({ ...signed(), [TIMESTAMP_HEADER]: wrong })).toBe("timestamp-missing");
  }
});

test("the window is five minutes in both directions, and can be set", () => {
  const at = (seconds: number, its = options) => codeOf(signed(body, "s3cret", 1_710_000_000 + seconds), body, its);
  for (const seconds of [-300, 300]) expect(at(seconds)).toBe("accepted");
  for (const seconds of [-301, 301]) expect(at(seconds)).toBe("timestamp-outside-window");
  expect(at(-3000, { ...options, toleranceSeconds: 3600 })).toBe("accepted");
  expect(at(-1e9, { ...options, toleranceSeconds: Number.POSITIVE_INFINITY })).toBe("accepted");
  expect(at(-1, { ...options, toleranceSeconds: 0 })).toBe("timestamp-outside-window");
  expect(codeOf(signed(body, "s3cret", Math.round(Date.now() / 1000)), body, { secrets: "s3cret" })).toBe("accepted");
});

test("a secret that was forgotten accepts nothing", () => {
  for (const secrets of [
    undefined,
    "",
    "\n",
    [],
    [""],
    ["s3cret", undefined],
    null,
    true,
    7,
    {},
    [["s3cret"]],
    new Set(["s3cret"]),
  ]) {
    expect(codeOf(signed(), body, { ...options, secrets: secrets as string })).toBe("options-invalid");
  }
});

const wrongNumbers = [-1, Number.NaN, "300", "1mb", null, {}, 5n];
const wrongFunctions = [0, "now", null, {}];
test("options of another type or value are errors when the receiver is made", () => {
  const wrong = [
    ...wrongNumbers.flatMap((value) => [{ toleranceSeconds: value }, { maxBodyBytes: value }]),
    ...wrongFunctions.map((now) => ({ now })),
  ];
  for (const its of wrong)
    expect(codeOf(signed(), body, { ...options, ...its } as ReceiveOptions)).toBe("options-invalid");
  for (const its of [undefined, null, "s3cret"]) {
    expect(() => receive(signed(), body, its as never)).toThrow(expect.objectContaining({ code: "options-invalid" }));
  }
  const adapterOptions = [
    ...wrongNumbers.map((handleWithinSeconds) => ({ handleWithinSeconds })),
    ...wrongFunctions.map((onError) => ({ onError })),
    ...wrong,
  ];
  const make = [expressReceiver, fetchReceiver, lambdaReceiver, nodeReceiver, fastifyReceiver.bind(null, "/")];
  for (const receiver of make) {
    for (const its of adapterOptions) {
      const run = () => receiver(() => {}, { ...options, ...its } as ReceiverOptions);
      expect(run).toThrow(expect.objectContaining({ code: "options-invalid" }));
    }
    expect(() => receiver(undefined as never, options)).toThrow(/handler must be a function/);
  }
});

test("a clock that shows no time accepts nothing", () => {
  for (const time of [Number.NaN, undefined, null, "1710000000000", new Date(), Number.POSITIVE_INFINITY]) {
    for (const toleranceSeconds of [300, Number.POSITIVE_INFINITY]) {
      expect(codeOf(signed(), body, { ...options, toleranceSeconds, now: () => time as number })).toBe(
        "options-invalid",
      );
    }
  }
});

test("white space around the secret, as in a file, does not count", () => {
  for (const secrets of ["s3cret\n", "s3cret \r\n", "\ufeffs3cret\n\n", " s3cret", ["other\n", "s3cret\n"]]) {
    expect(codeOf(signed(), body, { ...options, secrets })).toBe("accepted");
  }
  expect(sign(body, "s3cret\n")).toBe(sign(body, "s3cret"));
  expect(codeOf(signed(), body, { ...options, secrets: ["s3 cret"] })).toBe("signature-wrong");
});

test("headers that are missing, null or of another shape are no signature", () => {
  for (const headers of [
    null,
    undefined,
    "Signature: x",
    7,
    [],
    [null],
    [["Signature"]],
    [7],
    new Set(["Signature"]),
  ]) {
    expect(codeOf(headers as RequestHeaders)).toBe("signature-missing");
  }
  expect(codeOf({ [SIGNATURE_HEADER]: null, accept: null })).toBe("signature-missing");
  expect(codeOf({ ...signed(), accept: null, other: undefined })).toBe("accepted");
});

test("unsigned notifications are accepted only where that is set", () => {
  expect(codeOf({}, body, { secrets: false })).toBe("accepted");
  expect(codeOf({})).toBe("signature-missing");
});

test("headers in any shape and case", () => {
  const shapes = (headers: Record<string, string>): RequestHeaders[] => [
    headers,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    new Headers(headers),
    new Map(Object.entries(headers)),
    Object.entries(headers) as [string, string][],
  ];
  const cased = (name: string) => fc.mixedCase(fc.constant(name));
  const [its, time] = [signed()[SIGNATURE_HEADER]!, signed()[TIMESTAMP_HEADER]!];
  fc.assert(
    fc.property(cased(SIGNATURE_HEADER), cased(TIMESTAMP_HEADER), (signature, timestamp) => {
      for (const shape of shapes({ [signature]: its, [timestamp]: time, accept: "*/*" }))
        expect(codeOf(shape)).toBe("accepted");
    }),
  );
});

test("a body or signature that was tampered with never verifies", () => {
  const bytes = Buffer.from(body);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const tampered = Buffer.from(bytes);
      tampered[at]! ^= change;
      expect(codeOf(signed(), tampered)).toBe("signature-wrong");
    }),
  );
  const secret = fc.string().map((text) => `a${text}z`);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), secret, secret, (of, a, b) => {
      fc.pre(a !== b);
      expect(codeOf(signed(of, a), of, { ...options, secrets: [b] })).toBe("signature-wrong");
    }),
  );
});

test("a body beyond the limit is rejected before it is looked at", () => {
  expect(codeOf({}, "a".repeat(1024 * 1024 + 1))).toBe("body-too-large");
  expect(codeOf(signed(), body, { ...options, maxBodyBytes: body.length - 1 })).toBe("body-too-large");
  expect(codeOf(signed(), body, { ...options, maxBodyBytes: body.length })).toBe("accepted");
});
