/** Requests as libraries of other languages and frameworks send them. */
import { connect as connectSocket } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { ask, basic, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ processingTime: 0 });
const call = ask(service);
beforeEach(() => service.reset());

const post = (path: string, body: string, type: string, method = "PUT") =>
  call(method, path, undefined, { body, headers: { "content-type": type } });

describe.each(["specification", "current"] as const)("edition %s", (edition) => {
  beforeEach(() => service.configure({ edition }));

  test.each(["[]", "{}", "null", "", "\u0000", "a=b"])(
    "an operation without fields takes the body %j",
    async (body) => {
      for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]) {
        const { envelope_fingerprint: fingerprint } = (await call("POST", "/v1/envelopes", envelopeForm())).body;
        expect((await post(`/v1/envelopes/${fingerprint}/remind`, body, type)).status).toBe(200);
        expect((await post(`/v1/envelopes/${fingerprint}/cancel`, body, type)).status).toBe(200);
        expect((await post(`/v1/envelopes/${fingerprint}`, body, type, "DELETE")).status).toBe(200);
      }
    },
  );

  test("a slash at the end of a path changes nothing, unless an ID is missing", async () => {
    const hook = { webhook_type: "all", webhook_url: "https://a.example/" };
    const { webhook_id } = (await call("POST", "/v1/webhooks/", hook)).body;
    expect((await call("GET", "/v1/webhooks/")).body.webhooks).toHaveLength(1);
    expect((await call("GET", `/v1/webhooks/${webhook_id}/`)).body.webhook_url).toBe(hook.webhook_url);
    expect((await call("PUT", "/v1/webhooks/", hook)).body.code).toBe(10304);
    expect((await call("DELETE", "/v1/webhooks/")).body.code).toBe(10305);
    expect((await call("DELETE", "/v1/envelopes/")).body.code).toBe(10252);
    expect((await call("GET", "/v1/branding/emails/")).status).toBe(200);
  });

  test("members that ask for nothing are accepted, whichever edition has them", async () => {
    const party = { party_name: "A", party_email: "a@b.example", party_role: "signer1" };
    for (const unset of [false, "false", ""])
      expect(
        (
          await call(
            "POST",
            "/v1/envelopes",
            envelopeForm({ envelope_parties: [{ ...party, signature_in_person: unset }] }),
          )
        ).status,
      ).toBe(202);
  });

  test.each([
    "https://a.example/\u0000",
    ...(edition === "current" ? ["https://a.example/\ud800"] : []),
    "https://a.example/\u0085",
  ])("the address %j is refused", async (webhook_url) => {
    const sent = await call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url });
    expect([sent.status, service.data().accounts[0]!.webhooks]).toEqual([400, []]);
  });

  test("fewer hours than allowed: the message has the edition's limit", async () => {
    const { status, body } = await call("POST", "/v1/envelopes", envelopeForm({ envelope_auto_expire_hours: 11 }));
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining(edition === "current" ? "must be at least 12" : "must be greater than 12"),
    ]);
  });
});

/** The response to bytes that no client library sends. */
async function raw(head: string[], body: Buffer | string = ""): Promise<string> {
  const socket = connectSocket(service.port, "127.0.0.1");
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(body);
  return await text(socket);
}

test("a body that was compressed on its way is refused, not taken as it is", async () => {
  const body = gzipSync("branding_colour=%23112233");
  const before = service.data();
  const response = await raw(
    [
      "PUT /v1/branding HTTP/1.1",
      "Host: 127.0.0.1",
      `Authorization: ${basic(service.keys.partner)}`,
      "Content-Type: application/x-www-form-urlencoded",
      "Transfer-Encoding: gzip, chunked",
      "Connection: close",
    ],
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]),
  );
  expect(response).toMatch(/^HTTP\/1\.1 400[\s\S]*"code":10007.*Transfer-Encoding is gzip, chunked/);
  expect(service.data()).toEqual(before);
});

test("CONNECT is refused with an answer", async () => {
  expect(await raw(["CONNECT a.example:443 HTTP/1.1", "Host: a.example:443"])).toMatch(
    /^HTTP\/1\.1 400[\s\S]*"code":10001/,
  );
});
