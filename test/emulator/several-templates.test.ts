/** Envelopes of several templates: each party has an ID in each of them. */
import { beforeEach, describe, expect, test } from "vitest";
import { connect, InputError } from "../../sdk";
import { failure } from "../sdk/server";
import { ask, type Body } from "./ask";
import { useEmulator } from "./use-emulator";

const templates = ["lease", "rules"].map((fingerprint) => ({
  fingerprint,
  title: fingerprint,
  parties: ["Landlord", "Tenant", "Agent"],
  mergeFields: [1, 2, 3].map((party) => ({ id: party, title: `Name ${party}`, party })),
}));
const service = useEmulator({ edition: "current", processingTime: 0, seed: { partner: { templates } } });
beforeEach(() => service.reset());

const call = ask(service);
const part = (document_template_fingerprint: string, party_id: number) => ({ party_id, document_template_fingerprint });
const party = (name: string, more: object) => ({ party_name: name, party_email: `${name}@b.example`, ...more });
const documents = ["lease", "rules"].map((each) => ({ document_title: each, document_template_fingerprint: each }));
const form = (...envelope_parties: object[]) => ({
  envelope_title: "Flat 3",
  envelope_documents: documents,
  envelope_parties,
});
const ann = party("ann", { party_documents: [part("lease", 2), part("rules", 1)] });
const ben = party("ben", { party_documents: [part("rules", 2), part("lease", 1)] });

/** The names of parties in their order, and who fills which field of each document. */
async function read(envelope_fingerprint: string) {
  const { envelope_parties, envelope_documents } = (await call("GET", `/v1/envelopes/${envelope_fingerprint}`)).body;
  const nameOf = (id: string) => envelope_parties.find((one: Body) => one.party_id === id)?.party_title;
  const fields = envelope_documents.map(({ document_fields }: Body) =>
    document_fields.filter((one: Body) => one.field_type !== "date").map((one: Body) => nameOf(one.party_id)),
  );
  return { names: envelope_parties.map((one: Body) => one.party_title), fields };
}

test("each party has its own ID in each template; they sign in the order of the first one that they are in", async () => {
  const { status, body } = await call("POST", "/v1/envelopes", form(ann, ben, party("cleo", { party_id: 3 })));
  expect(status).toBe(202);
  expect(await read(body.envelope_fingerprint)).toEqual({
    names: ["ben", "ann", "cleo"],
    fields: [
      ["ben", "ann", "cleo"],
      ["ann", "ben", "cleo"],
    ],
  });
});

test("a party may be in one of the templates only, and a copy in none", async () => {
  const one = party("ann", { party_documents: [part("rules", 1)] });
  const copy = party("cleo", { party_role: "copy", party_documents: [part("rules", 9)] });
  const { body } = await call("POST", "/v1/envelopes", form(one, copy));
  expect(await read(body.envelope_fingerprint)).toEqual({
    names: ["ann", "cleo"],
    fields: [
      [undefined, undefined, undefined],
      ["ann", undefined, undefined],
    ],
  });
});

test.each([
  [[part("lease", 9)], 10272],
  [[part("other", 1)], 10272],
  [[part("lease", 2)], 10010],
  [[{ party_id: 1 }], 10010],
  [[], 10010],
  ["lease", 10010],
])("party_documents %j beside a party with ID 2 is refused", async (party_documents, code) => {
  const answer = await call("POST", "/v1/envelopes", form(ann, party("ben", { party_documents })));
  expect(answer).toMatchObject({ status: 400, body: { code } });
  expect(service.data().accounts[0]!.envelopes).toEqual([]);
});

describe("the client", () => {
  const client = (edition: "current" | "specification") =>
    connect({ baseUrl: service.url, apiKey: service.keys.partner, edition });
  const send = (one: object, edition: "current" | "specification" = "current") =>
    client(edition).envelopes.createFromTemplate(form(ann, one) as never);

  test("sends them", async () => {
    const { envelope_fingerprint } = await send(ben);
    expect((await read(envelope_fingerprint)).names).toEqual(["ben", "ann"]);
  });

  test.each([
    [party("ben", {}), "party_id is required"],
    [{ ...ben, party_id: 1 }, "party_id cannot be combined with party_documents"],
    [party("ben", { party_documents: [] }), "party_documents must contain at least one"],
    [party("ben", { party_documents: [{ party_id: "x" }] }), "party_documents[0].party_id must be an integer"],
  ])("sends nothing for %j", async (one, message) => {
    const error = await failure(send(one));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toContain(message);
    expect(service.requests()).toEqual([]);
  });

  test("says which edition has them, and that files have none", async () => {
    expect((await failure(send(ben, "specification"))).message).toMatch(/party_documents exists in the edition/);
    const files = { ...form({ ...ann, party_role: "signer1" }), envelope_documents: [] };
    const error = await failure(client("current").envelopes.createFromFiles(files as never));
    expect(error.message).toContain("party_documents belongs to an envelope from templates");
  });
});
