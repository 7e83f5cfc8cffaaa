/** What is refused is said: one line on stderr with a likely cause, an error of its own for a body that is not as it was sent, and texts that cannot be a secret. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  fetchReceiver,
  lambdaReceiver,
  nodeReceiver,
  type ReceiverError,
  type ReceiverOptions,
  receive,
  sign,
} from "../../receiver";
import { receiverErrors } from "../../receiver/errors";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../../sdk/api/notification-headers";
import { askWithNode } from "../emulator/ask";
import { listen } from "../sdk/server";
import { FORM, form, recorder, requestOf, secret, signed } from "./requests";

const { handled, errors, handler, options } = recorder();
const codes = () => errors.map((error) => (error as ReceiverError).code);

describe("stderr, where nothing else is set", () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test("a rejected notification is one line: the code, who sent it and why, and nothing of its content", async () => {
    const server = createServer(nodeReceiver(handler, { secrets: "other-hush" }));
    const { url } = await listen(server, () => server.closeAllConnections());
    const headers = { ...signed(form), "x-forwarded-for": "203.0.113.7, 10.0.0.1" };
    expect((await askWithNode(`${url}?token=t0ken`, { method: "POST", headers, agent: false }, form)).status).toBe(401);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^pulumi-esign\/receiver: 401 signature-wrong, from 127\.0\.0\.1 \(for 203\.0\.113\.7\): .* Likely cause: .*secret/,
    );
    for (const part of [secret, "other-hush", "t0ken", "ann@example.com", sign(form, secret)])
      expect(lines[0]).not.toContain(part);
  });

  test("what a header says is printed only if it can be an address", async () => {
    const respond = fetchReceiver(handler, { secrets: secret });
    const headers = { "content-type": FORM, "x-forwarded-for": "\u001b[31mx <script>, 10.0.0.1" };
    await respond(requestOf(form, { headers: { ...headers, "x-forwarded-for": "[31mx <script>" } }));
    expect(lines[0]).toMatch(/from an address that is not known/);
    expect(lines[0]).not.toContain("script");
  });

  test("each code has one line a minute, which says how many were left out", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const respond = fetchReceiver(handler, { secrets: secret });
    const reject = (body: string) => respond(requestOf(body));
    for (let i = 0; i < 50; i++) await reject("action=x");
    await respond(requestOf(form, { headers: {} }));
    expect(lines.map((line) => /\d{3} ([\w-]+)/.exec(line)![1])).toEqual(["signature-wrong", "signature-missing"]);
    vi.advanceTimersByTime(60_000);
    await reject("action=x");
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain("(49 more since the last such line)");
  });

  test("a body that a parser has taken is a line, not a stack for each request; an error of the handler is all of it", async () => {
    const respond = fetchReceiver(() => Promise.reject(new Error("no database")), { secrets: secret });
    const parsed = { method: "POST", headers: new Headers(signed(form)), body: { action: "x" } };
    for (let i = 0; i < 3; i++) expect((await respond(parsed)).status).toBe(500);
    expect(lines).toEqual([expect.stringMatching(/500 raw-body-missing.*express\.raw.*Nest.*Koa.*hapi/)]);
    await respond(requestOf());
    await respond(requestOf());
    await expect.poll(() => lines).toHaveLength(3);
    expect(lines.slice(1)).toEqual(Array(2).fill("Error: no database"));
  });

  test("onError replaces it", async () => {
    await fetchReceiver(handler, options)(requestOf("action=x"));
    expect([lines, codes()]).toEqual([[], ["signature-wrong"]]);
  });
});

test("each code has a likely cause", () => {
  for (const [status, message, cause] of Object.values(receiverErrors))
    expect([status, message, cause]).toEqual([
      expect.any(Number),
      expect.stringMatching(/\w/),
      expect.stringMatching(/\w{3}/),
    ]);
});

describe("a body that is not as it was sent has an error of its own, not a wrong signature", () => {
  const respond = (its: ReceiverOptions = options) => {
    const receiver = fetchReceiver(handler, its);
    return async (body: unknown, headers: Record<string, string> = {}) =>
      (await receiver({ method: "POST", headers: new Headers({ ...signed(form), ...headers }), body })).status;
  };

  test.each<[string, unknown, Record<string, string>, number, string]>([
    ["an empty one", "", { "content-length": "0" }, 400, "body-empty"],
    ["an empty one in chunks", null, { "transfer-encoding": "chunked" }, 400, "body-empty"],
    ["none, and no length", null, {}, 411, "length-missing"],
    ["one that is not gathered yet", "", { "content-length": "900" }, 500, "raw-body-missing"],
    ["half of one", form.slice(0, 40), { "content-length": String(form.length) }, 500, "raw-body-missing"],
    ["one with gzip", gzipSync(form), { "content-encoding": "gzip" }, 415, "body-compressed"],
    ["one with deflate", deflateSync(form), { "content-encoding": "DEFLATE" }, 415, "body-compressed"],
    ["one with brotli", brotliCompressSync(form), { "content-encoding": "br" }, 415, "body-compressed"],
    [
      "one that upstream code made a text",
      gzipSync(form).toString(),
      { "content-encoding": "gzip" },
      415,
      "body-compressed",
    ],
    [
      "another text of its length",
      form.replace("Ann", "Bob"),
      { "content-length": String(form.length) },
      401,
      "signature-wrong",
    ],
    [
      "one that was decompressed, with another secret",
      `${form}&a=b`,
      { "content-encoding": "gzip", "content-length": "7" },
      401,
      "signature-wrong",
    ],
  ])("%s", async (_, body, headers, status, code) => {
    const its = code === "signature-wrong" ? options : { ...options, secrets: false as const };
    expect(await respond()(body, headers)).toBe(status);
    expect(codes()).toEqual([code]);
    if (its.secrets !== false || code === "raw-body-missing") return;
    // Also where nothing is signed.
    expect(await respond(its)(body, headers)).toBe(status);
    expect(codes()).toEqual([code, code]);
  });

  test("whatever the headers say, a body that is right is accepted", async () => {
    expect(await respond()(form, { "content-length": "7", "content-encoding": "gzip" })).toBe(200);
    await expect.poll(() => handled.length).toBe(1);
    const body = gzipSync(form);
    expect(() => receive(signed(form), form, { secrets: secret })).not.toThrow();
    expect(() => receive({ [SIGNATURE_HEADER]: sign(body, secret) }, body, { secrets: secret })).toThrow(/time/);
  });

  test("node: upstream code that has begun to gather: the stream has the body", async () => {
    const receiver = nodeReceiver(handler, options);
    const server = createServer((request, response) => {
      Object.assign(request, { body: "" });
      request
        .setEncoding("utf8")
        .on("data", (chunk) => Object.assign(request, { body: `${Object(request).body}${chunk}` }));
      void receiver(request, response);
    });
    const { url } = await listen(server, () => server.closeAllConnections());
    const { status } = await askWithNode(url, { method: "POST", headers: signed(form), agent: false }, form);
    expect([status, codes()]).toEqual([200, []]);
    await expect.poll(() => handled.length).toBe(1);
  });

  test("node: HTTP/1.0 without a length", async () => {
    const server = createServer(nodeReceiver(handler, options));
    await listen(server, () => server.closeAllConnections());
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const headers = Object.entries(signed(form)).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST / HTTP/1.0\r\n${headers.join("\r\n")}\r\n\r\n`);
    expect((await socket.toArray()).join("")).toMatch(/^HTTP\/1\.1 411 Length Required/);
    expect(codes()).toEqual(["length-missing"]);
  });
});

describe("secrets", () => {
  const mistakes: [unknown, RegExp][] = [
    ["old,new", /text\.split/],
    ["old new", /\[secret\]/],
    ["old\nnew", /several parts/],
    ["old;new", /several parts/],
    ['["old","new"]', /JSON\.parse/],
    ["[secret]", /JSON\.parse/],
    ['{"secret":"x"}', /JSON\.parse/],
    ['"s3cret"', /quotes/],
    ["'s3cret'\n", /quotes/],
    [["`s3cret`"], /quotes.*number 1/],
    ["undefined", /set the variable/],
    ["[object Object]", /object as text/],
    ["${WEBHOOK_SECRET}", /name of a variable/],
    ["<your secret>", /name of a variable/],
    ["WEBHOOK_SECRET=abc", /\.env/],
    [["s3cret", " "], /number 2/],
  ];
  test.each(mistakes)("%j is refused when the receiver is made, with the remedy", (secrets, words) => {
    const its = { secrets } as ReceiverOptions;
    for (const make of [nodeReceiver, fetchReceiver, lambdaReceiver]) {
      expect(() => make(handler, its)).toThrow(
        expect.objectContaining({ code: "options-invalid", message: expect.stringMatching(words) }),
      );
      expect(() => make(handler, its)).not.toThrow(/s3cret|old/);
    }
  });

  test.each(["s3cret", "aGVsbG8=", "aGVsbG8gd29ybGQ==", "whsec_9f/+x=", "a:b|c", "x".repeat(512)])(
    "%s is one",
    (text) => {
      expect(() => fetchReceiver(handler, { secrets: text })).not.toThrow();
    },
  );

  test("in a list, a text is a secret whatever it contains", async () => {
    const secrets = ["one, with two; parts"];
    const headers = { ...signed(form), [SIGNATURE_HEADER]: sign(form, secrets[0]!) };
    expect((await fetchReceiver(handler, { ...options, secrets })(requestOf(form, { headers }))).status).toBe(200);
    await expect.poll(() => handled.length).toBe(1);
  });

  test.each<[string, ReceiverOptions["secrets"]]>([
    ["a promise", Promise.resolve(secret)],
    ["a function", () => [secret, "new"]],
    ["an asynchronous function", async () => secret],
  ])("%s of them", async (_, secrets) => {
    const respond = fetchReceiver(handler, { ...options, secrets });
    expect((await respond(requestOf())).status).toBe(200);
    expect((await respond(requestOf("action=x"))).status).toBe(401);
    await expect.poll(() => handled.length).toBe(1);
  });

  test("a function is asked for each notification that is signed, and for no other", async () => {
    let current = "first";
    const secrets = vi.fn(() => current);
    const respond = fetchReceiver(handler, { ...options, secrets });
    expect((await respond(requestOf())).status).toBe(401);
    current = secret;
    expect((await respond(requestOf())).status).toBe(200);
    expect((await respond(requestOf(form, { headers: {} }))).status).toBe(401);
    expect(secrets).toHaveBeenCalledTimes(2);
    await expect.poll(() => handled.length).toBe(1);
  });

  test("a function or promise that fails ends no process and accepts nothing: 503, with its error as the cause", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const failure = new Error("no access to hush");
    for (const secrets of [
      Promise.reject(failure),
      () => Promise.reject(failure),
      () => {
        throw failure;
      },
    ]) {
      const respond = fetchReceiver(handler, { ...options, secrets });
      await new Promise((resolve) => setImmediate(resolve));
      expect((await respond(requestOf())).status).toBe(503);
    }
    expect(errors).toMatchObject(Array(3).fill({ code: "secrets-missing", cause: failure }));
    expect(String(errors[0])).not.toContain("hush");
    expect(unhandled).not.toHaveBeenCalled();
  });

  test.each([false, undefined, "", "old,new", []])("a function that returns %j accepts nothing", async (value) => {
    const respond = fetchReceiver(handler, { ...options, secrets: () => value as string });
    expect((await respond(requestOf())).status).toBe(500);
    expect(codes()).toEqual(["options-invalid"]);
    expect(handled).toEqual([]);
  });
});

describe("Lambda: events of other sources", () => {
  const invoke = (event: unknown) => lambdaReceiver(handler, options)(event as object);

  test.each<[unknown, RegExp]>([
    [{}, /another event/],
    [undefined, /another event/],
    [{ source: "serverless-plugin-warmup" }, /an event of serverless-plugin-warmup/],
    [{ source: "aws.events", "detail-type": "Scheduled Event", detail: {} }, /an event of aws\.events/],
    [{ source: "<script>" }, /another event/],
  ])("%j is answered: it does not concern the receiver", async (event, words) => {
    expect(await invoke(event)).toMatchObject({ statusCode: 400, body: "Bad Request" });
    expect(errors).toMatchObject([{ code: "not-an-event", message: expect.stringMatching(words) }]);
    expect(handled).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["aws:sqs", { Records: [{ eventSource: "aws:sqs", messageId: "1", body: "x" }] }],
    ["aws:sns", { Records: [{ EventSource: "aws:sns", Sns: {} }] }],
    ["aws:kafka", { eventSource: "aws:kafka", records: { "topic-0": [{}] } }],
  ])("records of %s are an error that names it: an answer would delete them", async (source, event) => {
    await expect(invoke(event)).rejects.toMatchObject({
      code: "not-an-event",
      message: expect.stringContaining(`an event of ${source}`),
    });
  });
});

test("the window needs its header also where the secret is right", async () => {
  const { [TIMESTAMP_HEADER]: _, ...headers } = signed(form);
  expect((await fetchReceiver(handler, options)(requestOf(form, { headers }))).status).toBe(401);
  expect(codes()).toEqual(["timestamp-missing"]);
});
