/** Refusals that no document of the service has: each has a name, and is accepted when that is switched off. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RefusalName, refusalNames } from "../../emulator/domain/strictness";
import { ask, basic } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ processingTime: 0 });
let hook: Server;
beforeAll(async () => {
  hook = createServer((_, response) => response.writeHead(405).end()).listen(0, "127.0.0.1");
  await once(hook, "listening");
});
beforeEach(() => service.reset());
afterAll(() => hook.close());

type Reply = { status: number; code?: unknown };

const call = async (method: string, path: string, form?: Record<string, unknown>): Promise<Reply> => {
  const fields =
    form &&
    Object.fromEntries(
      Object.entries(form).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
  const { status, body } = await ask(service)(method, path, fields);
  return { status, code: body.code };
};
const raw = async (body: string | Buffer, headers: Record<string, string> = {}): Promise<Reply> => {
  const response = await fetch(`${service.url}/v1/branding`, {
    method: "PUT",
    body: new Uint8Array(Buffer.from(body)),
    headers: {
      authorization: basic(service.keys.partner),
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
  });
  return { status: response.status, code: ((await response.json()) as { code?: number }).code };
};

const party = { party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" };
const link = { document_title: "NDA", document_url: "https://files.example/nda.pdf" };
const files = (more: object = {}, document: object = link, other: object = party) =>
  call("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    envelope_documents: [document],
    envelope_parties: [other],
    ...more,
  });
const template = { document_title: "NDA", document_template_fingerprint: "template-agreement" };
const signers = (...ids: number[]) =>
  ids.map((party_id, i) => ({ party_name: `P${i}`, party_email: `p${i}@b.example`, party_id }));
const user = { user_name: "Eve", user_email: "eve@b.example", role_id: "1" };

const requests: Record<RefusalName, () => Promise<Reply>> = {
  blankText: () => files({ envelope_title: "  " }),
  logoEnding: () => call("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/intro.mp4" }),
  documentEnding: () => files({}, { ...link, document_url: "https://files.example/setup.exe" }),
  documentContent: () =>
    files(
      {},
      {
        document_title: "NDA",
        document_file_name: "nda.pdf",
        document_file_content: Buffer.from("GIF89a").toString("base64"),
      },
    ),
  unknownMembers: () => files({}, { ...link, document_colour: "red" }),
  partyTwice: () =>
    call("POST", "/v1/envelopes", {
      envelope_title: "NDA",
      envelope_documents: [template],
      envelope_parties: signers(1, 1),
    }),
  signerRequired: () => files({}, link, { ...party, party_role: "copy" }),
  dateFields: () =>
    files({
      envelope_documents: Array.from({ length: 101 }, () => link),
      envelope_parties: Array.from({ length: 100 }, (_, i) => ({
        ...party,
        party_email: `p${i}@b.example`,
        party_role: `signer${i + 1}`,
      })),
    }),
  expireStatus: async () => {
    await files();
    const { envelope_fingerprint } = (await ask(service)("GET", "/v1/envelopes")).body.envelopes[0];
    await call("PUT", `/v1/envelopes/${envelope_fingerprint}/cancel`, {});
    return call("PUT", `/v1/envelopes/${envelope_fingerprint}/expire`, {});
  },
  pageNumbers: () => call("GET", "/v1/webhooks?offset=first&limit=-1"),
  bodySize: () => raw(`branding_colour=%23112233&x=${"x".repeat(64 * 1024 * 1024)}`),
  bodyText: () => raw("branding_colour=%23112233&x=%ff"),
  compression: () => raw(gzipSync("branding_colour=%23112233"), { "content-encoding": "gzip" }),
  uniqueEmail: async () => {
    await call("POST", "/v1/users", user);
    return call("POST", "/v1/users", user);
  },
  lastAdministrator: async () => {
    const { users } = (await ask(service)("GET", "/v1/users")).body;
    return call("DELETE", `/v1/users/${users[0].user_id}`);
  },
  webhookAnswers: () => call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: "http://127.0.0.1:9/hook" }),
};

test("every refusal has a request here", () => expect(Object.keys(requests).sort()).toEqual([...refusalNames].sort()));

describe.each(refusalNames)("%s", (name) => {
  test("is refused, and accepted when it is switched off", { timeout: 60_000 }, async () => {
    service.configure({ strictness: { [name]: true } });
    const before = structuredClone(service.data());
    const refused = await requests[name]();
    expect(refused.status).toBe(400);
    if (name !== "uniqueEmail" && name !== "expireStatus") expect(service.data()).toEqual(before);
    await service.reset();
    service.configure({ strictness: { [name]: false } });
    expect((await requests[name]()).status).toBeLessThan(300);
  });
});

describe("a webhook's URL", () => {
  const url = () => `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
  const create = (webhook_url: string) => call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url });
  beforeEach(() => service.configure({ strictness: { webhookAnswers: true } }));

  test("answers with any status; one that is not of this machine is not called", async () => {
    expect((await create(url())).status).toBe(200);
    expect((await create("https://hooks.example.com/esign")).status).toBe(200);
  });

  test("that does not answer is 10309, after what is wrong with the request itself, and for an update, too", async () => {
    expect(await create("http://127.0.0.1:9/")).toEqual({ status: 400, code: 10309 });
    expect((await call("POST", "/v1/webhooks", { webhook_type: "al", webhook_url: "http://127.0.0.1:9/" })).code).toBe(
      10302,
    );
    await create(url());
    const { webhook_id } = (await ask(service)("GET", "/v1/webhooks")).body.webhooks[0];
    expect((await call("PUT", `/v1/webhooks/${webhook_id}`, { webhook_url: "http://127.0.0.1:9/" })).code).toBe(10309);
    expect((await call("PUT", `/v1/webhooks/${webhook_id}`, { webhook_type: "add-user" })).status).toBe(200);
  });

  test("that accepts connections and says nothing takes two seconds", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const began = performance.now();
    expect((await create(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`)).code).toBe(10309);
    expect(performance.now() - began).toBeLessThan(10_000);
    silent.closeAllConnections();
    silent.close();
  });

  test("is not called by default", async () => {
    service.configure({ strictness: {} });
    expect((await create("http://127.0.0.1:9/")).status).toBe(200);
  });
});

test.each(["mp4", "exe", "xlsx", "gif", "SVG", "pptx", "7z", "apk", "js"])(
  "a logo that ends with .%s is refused",
  async (ending) => {
    expect(
      (await call("PUT", "/v1/branding", { branding_logo_url: `https://cdn.example/logo.${ending}?v=1.png` })).code,
    ).toBe(10559);
  },
);

test.each(["logo.png", "logo.JPEG", "logo", "logo.php", "acme.com", "acme.io", "v1.2", "logo@2x", "brand.v3"])(
  "a logo at %s may be one",
  async (name) => {
    expect((await call("PUT", "/v1/branding", { branding_logo_url: `https://cdn.example/${name}` })).status).toBe(200);
  },
);

test("an unknown name is an error that lists nothing else", () => {
  expect(() => service.configure({ strictness: { partyTwise: false } as never })).toThrow(/partyTwise/);
});
