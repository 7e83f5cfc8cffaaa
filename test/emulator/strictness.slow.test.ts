/** Refusals that no document of the service has: each has a name, and is accepted when that is switched off. */
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { type RefusalName, refusalNames, refusals } from "../../emulator/domain/strictness";
import { serve } from "../sdk/server";
import { type Asked, ask, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ processingTime: 0 });
beforeEach(() => service.reset());

const call = ask(service);
const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
  call("PUT", "/v1/branding", undefined, {
    body: new Uint8Array(Buffer.from(body)),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });

const party = { party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" };
const link = { document_title: "NDA", document_url: "https://files.example/nda.pdf" };
const send = (more: object) => call("POST", "/v1/envelopes", envelopeForm(more));
const template = { document_title: "NDA", document_template_fingerprint: "template-agreement" };
const logo = (branding_logo_url: string) => call("PUT", "/v1/branding", { branding_logo_url });
const webhook = (webhook_url: string, webhook_type = "all") =>
  call("POST", "/v1/webhooks", { webhook_type, webhook_url });
const user = { user_name: "Eve", user_email: "eve@b.example", role_id: "1" };
const gif = Buffer.from("GIF89a").toString("base64");
const nowhere = "http://127.0.0.1:9/hook";

const newParty = async () => {
  const { envelope_fingerprint: fingerprint } = (await send({})).body;
  const { envelope_parties } = (await call("GET", `/v1/envelopes/${fingerprint}`)).body;
  const path = `/v1/envelopes/${fingerprint}/parties/${envelope_parties[0].party_id}`;
  return { fingerprint, update: (party_title: string) => call("PATCH", path, { party_title }) };
};

const requests: Record<RefusalName, () => Promise<Asked>> = {
  blankText: () => send({ envelope_title: "  " }),
  logoEnding: () => logo("https://cdn.example/intro.mp4"),
  documentEnding: () => send({ envelope_documents: [{ ...link, document_url: "https://files.example/setup.exe" }] }),
  documentContent: () =>
    send({
      envelope_documents: [{ document_title: "NDA", document_file_name: "nda.pdf", document_file_content: gif }],
    }),
  unknownMembers: () => send({ envelope_documents: [{ ...link, document_colour: "red" }] }),
  plainRoles: () => send({ envelope_parties: [{ ...party, party_role: "signer" }] }),
  partyTwice: () => {
    const { party_role: _, ...signer } = { ...party, party_id: 1 };
    return send({ envelope_documents: [template], envelope_parties: [signer, signer] });
  },
  signerRequired: () => send({ envelope_parties: [{ ...party, party_role: "copy" }] }),
  partyUpdates: async () => {
    const { update } = await newParty();
    for (let n = 1; n <= 5; n++) expect((await update(`Ann ${n}`)).status).toBe(200);
    return update("Ann 6");
  },
  signedParty: async () => {
    const { fingerprint, update } = await newParty();
    await service.performAction(fingerprint, "sign");
    return update("Anne");
  },
  sessionOfDraft: async () => {
    const { envelope_fingerprint } = (await send({})).body;
    return call("POST", "/v1/embed-sessions", { envelope_fingerprint });
  },
  dateFields: () =>
    send({
      envelope_documents: Array.from({ length: 101 }, () => link),
      envelope_parties: Array.from({ length: 100 }, (_, i) => ({
        ...party,
        party_email: `p${i}@b.example`,
        party_role: `signer${i + 1}`,
      })),
    }),
  expireStatus: async () => {
    const path = `/v1/envelopes/${(await send({})).body.envelope_fingerprint}`;
    await call("PUT", `${path}/cancel`, {});
    return call("PUT", `${path}/expire`, {});
  },
  pageNumbers: () => call("GET", "/v1/webhooks?offset=first&limit=-1"),
  bodySize: () => raw(`branding_colour=%23112233&x=${"x".repeat(64 * 1024 * 1024)}`),
  bodyText: () => raw("branding_colour=%23112233&x=%ff"),
  compression: () => raw(gzipSync("branding_colour=%23112233"), { "content-encoding": "gzip" }),
  uniqueEmail: async () => {
    await call("POST", "/v1/users", user);
    return call("POST", "/v1/users", user);
  },
  subaccountUsers: async () => {
    const company = { company_name: "C", user_name: "Cleo", user_email: "cleo@b.example" };
    const { api_key } = (await ask(service, service.keys.partner)("POST", "/v1/companies", company)).body;
    return ask(service, api_key)("POST", "/v1/users", user);
  },
  lastAdministrator: async () => {
    const { users } = (await call("GET", "/v1/users")).body;
    return call("DELETE", `/v1/users/${users[0].user_id}`);
  },
  webhookAnswers: () => webhook(nowhere),
};
/** Those that need objects, which their requests create. */
const needObjects: readonly RefusalName[] = [
  "uniqueEmail",
  "expireStatus",
  "partyUpdates",
  "signedParty",
  "sessionOfDraft",
  "subaccountUsers",
];
/** What the message names, where the code alone says little. */
const words: Partial<Record<RefusalName, string>> = { bodySize: "64 MB", compression: "Content-Encoding is gzip" };

test("every refusal has a request here", () => expect(Object.keys(requests).sort()).toEqual([...refusalNames].sort()));

test.each(refusalNames)("%s is refused, and accepted when it is switched off", async (name) => {
  service.configure({ strictness: { [name]: true } });
  const before = structuredClone(service.data());
  const { status, body } = await requests[name]();
  expect(status).toBe(400);
  const { code } = refusals[name];
  if (typeof code === "number") expect(body.code).toBe(code);
  expect(body.message).toContain(words[name] ?? "");
  // Who wants to allow it reads how.
  expect(body.message).toContain(`strictness.${name} (--lenient ${name})`);
  if (!needObjects.includes(name)) expect(service.data()).toEqual(before);
  await service.reset();
  service.configure({ strictness: { [name]: false } });
  expect((await requests[name]()).status).toBeLessThan(300);
});

describe("a webhook's URL", () => {
  beforeEach(() => service.configure({ strictness: { webhookAnswers: true } }));

  test("that does not answer is 10309, after what is wrong with the request itself, and for an update, too", async () => {
    // Any status is an answer; a URL that is not of this machine is not called.
    const { webhook_id } = (await webhook((await serve(() => ({ status: 405 }))).url)).body;
    expect((await webhook("https://hooks.example.com/esign")).status).toBe(200);
    expect(await webhook(nowhere)).toMatchObject({ status: 400, body: { code: 10309 } });
    expect((await webhook(nowhere, "al")).body.code).toBe(10302);
    const path = `/v1/webhooks/${webhook_id}`;
    expect((await call("PUT", path, { webhook_url: nowhere })).body.code).toBe(10309);
    expect((await call("PUT", path, { webhook_type: "add-user" })).status).toBe(200);
  });

  test("that accepts connections and says nothing counts as unreachable", async () => {
    const silent = await serve(() => undefined);
    expect((await webhook(silent.url)).body.code).toBe(10309);
  });

  test("is not called by default", async () => {
    service.configure({ strictness: {} });
    expect((await webhook(nowhere)).status).toBe(200);
  });
});

test.each(["mp4", "exe", "xlsx", "gif", "SVG", "pptx", "7z", "apk", "js"])(
  "a logo that ends with .%s is refused",
  async (ending) => expect((await logo(`https://cdn.example/logo.${ending}?v=1.png`)).body.code).toBe(10559),
);

test.each(["logo.png", "logo.JPEG", "logo", "logo.php", "acme.com?size=200", "acme.io", "v1.2", "logo@2x", "brand.v3"])(
  "a logo at %s may be one",
  async (name) => expect((await logo(`https://cdn.example/${name}`)).body.branding_logo).toContain("/logos/"),
);

test("an unknown name is an error that lists nothing else", () => {
  expect(() => service.configure({ strictness: { partyTwise: false } as never })).toThrow(/partyTwise/);
});
