/** Parties of an envelope that exists: their name and address change, five times at most. */
import { beforeEach, describe, expect, test } from "vitest";
import { connect, InputError } from "../../sdk";
import { esign } from "../cli/in-process";
import { temporaryFolder } from "../files";
import { failure } from "../sdk/server";
import { ask, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ edition: "current", processingTime: 0 });
const call = ask(service);
let fingerprint: string;
let id: string;
const path = () => `/v1/envelopes/${fingerprint}/parties/${id}`;
const read = async () => (await call("GET", `/v1/envelopes/${fingerprint}`)).body.envelope_parties[0];
const client = () => connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current", retries: 3 });
const patches = () => service.requests().filter(({ method }) => method === "PATCH");

beforeEach(async () => {
  await service.reset();
  ({ envelope_fingerprint: fingerprint } = (await call("POST", "/v1/envelopes", envelopeForm())).body);
  ({ party_id: id } = await read());
});

test("the answer has four members, the ID as an integer; nothing else of the party changes", async () => {
  const before = await read();
  const { status, body } = await call("PATCH", path(), { party_title: "Anne", party_email: "anne@b.example" });
  const change = { party_title: "Anne", party_email: "anne@b.example" };
  expect([status, body]).toEqual([200, { http: 200, party_id: Number(id), party_role: "signer", ...change }]);
  expect(await read()).toEqual({ ...before, party_title: "Anne", contact_email: "anne@b.example" });
  expect(service.requests().findLast(({ method }) => method === "PATCH")).toMatchObject({
    operation: "envelopes.updateParty",
    fields: ["party_title", "party_email"],
  });
});

test("only successful updates count, whichever field they change", async () => {
  const changes = [{ party_title: "A" }, { party_email: "a@b.example" }, {}, { party_email: "no" }];
  for (const change of [...changes, ...changes, { party_title: "B" }]) await call("PATCH", path(), change);
  expect((await read()).party_title).toBe("B");
  const sixth = await call("PATCH", path(), { party_title: "C" });
  expect(sixth).toMatchObject({ status: 400, body: { code: 10010, detail: expect.stringContaining("5 times") } });
  expect((await read()).party_title).toBe("B");
});

test("unknown envelopes and parties, other methods, and an interface without it", async () => {
  const change = { party_title: "A" };
  expect(await call("PATCH", `/v1/envelopes/nope/parties/${id}`, change)).toMatchObject({ body: { code: 10253 } });
  const unknown = (await call("PATCH", `/v1/envelopes/${fingerprint}/parties/1`, change)).body;
  expect([unknown.http, unknown.code]).toEqual([404, undefined]);
  expect((await call("PUT", path(), change)).body.code).toBe(10001);
  expect((await call("PATCH", "/v1/webhooks", change)).body.code).toBe(10001);
  service.configure({ missing: ["updates of parties"] });
  for (const method of ["PATCH", "PUT"])
    expect((await call(method, path(), change)).body).toEqual({ message: expect.stringContaining("not be found") });
  const error = await failure(
    client().envelopes.updateParty({ envelope_fingerprint: fingerprint, party_id: id, ...change }),
  );
  expect(error.message).toContain("this account's interface has no updates of parties");
});

describe("the client", () => {
  test("sends nothing without a change", async () => {
    const error = await failure(client().envelopes.updateParty({ envelope_fingerprint: fingerprint, party_id: id }));
    expect(error).toBeInstanceOf(InputError);
    expect(patches()).toEqual([]);
  });

  test("does not repeat one whose answer was lost, but one that was turned away", async () => {
    const update = (party_title: string) =>
      client().envelopes.updateParty({ envelope_fingerprint: fingerprint, party_id: id, party_title });
    service.configure({ faults: [{ kind: "cut-after", method: "PATCH", nth: 1 }] });
    expect(await failure(update("Anne"), Error)).toMatchObject({ mayHaveSucceeded: true });
    expect(patches()).toHaveLength(1);
    service.configure({ faults: [{ kind: "status", status: 429, method: "PATCH", nth: 1 }] });
    expect(await update("Anna")).toMatchObject({ party_id: id, party_title: "Anna", party_role: "signer" });
    expect(patches()).toHaveLength(3);
    const account = service.data().accounts[0]!;
    expect(account.envelopes[0]!.parties[0]!.updates).toBe(2);
  });
});

test("the command names what it changed", async () => {
  const home = temporaryFolder();
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, ESIGN_EDITION: "current" };
  const run = (...args: string[]) => esign(["envelopes", "update-party", fingerprint, id, ...args], { home, env });
  const { code, stdout } = await run("--party-title", "Anne");
  expect([code, stdout]).toEqual([0, `Updated ${fingerprint} ${id}: party-title\n`]);
  const empty = await run();
  expect([empty.code === 0, empty.stderr]).toEqual([
    false,
    expect.stringContaining("needs --party-email or --party-title"),
  ]);
  expect(patches()).toHaveLength(1);
});
