/** What a deletion loses is a fact: what is not known counts as loss, and the sentence is made of it. */
import { expect, it } from "vitest";
import { sumAmounts } from "../../provider/core/amount";
import { deletionEffects } from "../../provider/lifecycle/dry-run/deletion-effects";
import { describeAmount, describeLoss, describeWrites } from "../../provider/plan/describe-effects";
import { isIrreplaceable } from "../../provider/plan/effect";
import { key, serve } from "../sdk/server";

const type = "pulumi-nodejs:dynamic/esign:Company";
const id = "7";
const created = "2026-07-10T10:00:00+0000";
const month = (name: string, sent?: unknown, year = "2026") => ({ month: name, year, sent });
const names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"];
const year = [...names.map((name) => month(name, "0")), month("November", "0", "2025"), month("December", "0", "2025")];

interface Served {
  company?: object;
  open?: number;
  status?: number;
  /** Of the open envelopes. Default: sent. */
  statuses?: string[];
  /** How many companies are deleted. Default: 1. */
  count?: number;
  /** Id of a company that the service does not return by itself. */
  unreadable?: string;
  offline?: boolean;
  onUnreadable?: "delete";
}

const webhookType = "pulumi-nodejs:dynamic/esign:Webhook";

const effectAt = async (served: Served) => (await effectsAt(served))[0]!;

/** Of companies, each followed by what is deleted with it. */
async function effectsAt(served: Served) {
  const {
    company = {},
    statuses = [],
    open = statuses.length,
    status,
    count = 1,
    unreadable,
    offline = false,
    onUnreadable,
  } = served;
  const ids = Array.from({ length: count }, (_, at) => String(Number(id) + at));
  const envelope = {
    envelope_id: "1",
    envelope_title: "A",
    envelope_fingerprint: "f",
    envelope_status: "sent",
    envelope_created: created,
  };
  const service = await serve(({ path, query }) => {
    if (path === "/v1/companies") {
      const all = ids.map((company_id) => ({
        ...{ company_id, company_name: "N", company_api_key: `Tk7-sub-${company_id}`, company_created: created },
      }));
      const offset = Math.max(1, Number(query.get("offset")));
      const companies = all.slice(offset - 1, offset + 49);
      return { body: { http: 200, limit: 50, offset, total_companies: all.length, companies } };
    }
    if (path === "/v1/envelopes") {
      if (status !== undefined) return { status, body: { http: status, code: 10001, message: "no" } };
      const envelopes = Array.from({ length: open }, (_, i) => ({
        ...envelope,
        envelope_id: `${i}`,
        envelope_status: statuses[i] ?? "sent",
        envelope_fingerprint: `f${i}`,
      }));
      const offset = Math.max(1, Number(query.get("offset")));
      return {
        body: {
          http: 200,
          limit: 50,
          offset,
          total_envelopes: open,
          envelopes: envelopes.slice(offset - 1, offset + 49),
        },
      };
    }
    const company_id = path.split("/").at(-1)!;
    if (company_id === unreadable) return { status: 500, body: { http: 500, code: 10001, message: "no" } };
    return { body: { http: 200, company_id, company_name: "N", company_created: created, ...company } };
  });
  const providerType = "pulumi:providers:pulumi-nodejs";
  const ofProvider = { urn: `urn:pulumi:dev::p::${providerType}::default`, id: "1", type: providerType };
  const provider = `${ofProvider.urn}::${ofProvider.id}`;
  const views = ids.flatMap((companyId) => {
    const urn = `urn:pulumi:dev::p::${type}::n${companyId}`;
    return [
      { urn, id: companyId, type, outputs: { name: "N", deletionProtection: false, companyId }, provider },
      {
        urn: `urn:pulumi:dev::p::${webhookType}::w${companyId}`,
        ...{ id: `${companyId}/1`, type: webhookType, provider, deletedWith: urn },
        outputs: { type: "all", url: "https://r.example/", account: companyId },
      },
    ];
  });
  const configuration: Record<string, string> = {
    "esign:apiKey": key,
    "esign:baseUrl": service.url,
    "esign:retries": "0",
    ...(onUnreadable && { "esign:onUnreadable": onUnreadable }),
  };
  const effects = await deletionEffects(
    views.map((view) => ({ ...view, op: "delete" })),
    {
      ...{
        open: [{ ...ofProvider, isDefaultProvider: true, outputs: {} }, ...views],
        closed: views,
        environment: {},
        offline,
      },
      configuration: { get: (name) => configuration[name] },
    },
  );
  return [...effects.values()];
}

it.each<[string, Served, string, boolean]>([
  ["none", { company: { company_usage: [month("July", "0")] } }, "with 0 sent and 0 open envelopes", false],
  ["no month yet", { company: { company_usage: [] } }, "with 0 sent and 0 open envelopes", false],
  ["some sent", { company: { company_usage: [month("July", 10)] } }, "with 10 sent and 0 open envelopes", true],
  ["ten pages", { company: { company_usage: [] }, open: 491 }, "with 0 sent and 491 open envelopes", true],
  [
    "more than ten pages",
    { company: { company_usage: [] }, open: 492 },
    "with 0 sent and at least 491 open envelopes",
    true,
  ],
  ["some open", { company: { company_usage: [] }, open: 2 }, "with 0 sent and 2 open envelopes", true],
  [
    "open ones of each status, an unknown one among them",
    { company: { company_usage: [] }, statuses: ["draft", "processing", "verify", "qes_in_progress", "on-hold"] },
    "with 0 sent and 5 open envelopes",
    true,
  ],
  [
    "envelopes that have ended",
    { company: { company_usage: [] }, statuses: ["signed", "rejected", "cancelled", "expired", "failed"] },
    "with 0 sent and 0 open envelopes",
    false,
  ],
  [
    "a month without its count",
    { company: { company_usage: [month("July"), month("August", "0")] } },
    "with 0 open envelopes; the number sent is unknown",
    true,
  ],
  [
    "one of two months without its count",
    { company: { company_usage: [month("July", null), month("August", "3")] } },
    "with at least 3 sent and 0 open envelopes",
    true,
  ],
  ["no usage at all", {}, "with 0 open envelopes; the number sent is unknown", true],
  ["usage of null", { company: { company_usage: null } }, "with 0 open envelopes; the number sent is unknown", true],
  ["twelve months of its life", { company: { company_usage: year } }, "with 0 sent and 0 open envelopes", false],
  [
    "twelve months, and an older company",
    { company: { company_usage: year, company_created: "2020-01-01T00:00:00+0000" } },
    "with 0 open envelopes; the number sent is unknown",
    true,
  ],
  ["nothing, offline", { offline: true }, "with its data", true],
])("of a company whose service returns %s", async (_, served, sentence, isLost) => {
  const effect = await effectAt(served);
  expect([describeLoss(effect.loss!), isIrreplaceable(effect)]).toEqual([sentence, isLost]);
});

it("of a company that cannot be read: refused, as the run refuses it, or deleted all the same", async () => {
  const served: Served = { company: { company_usage: [] }, status: 500 };
  expect(await effectAt(served)).toMatchObject({
    ...{ effect: "blocked", writes: 0 },
    detail: expect.stringMatching(/^not deleted: its envelopes could not be counted \(envelopes\.list: .*500/),
  });
  const effect = await effectAt({ ...served, onUnreadable: "delete" });
  expect(isIrreplaceable(effect)).toBe(true);
  expect(describeLoss(effect.loss!)).toMatch(/^with its data, which cannot be read: envelopes\.list: .*500/);
});

it("what is in a company that is not deleted is not deleted with it", async () => {
  const served: Served = { company: { company_usage: [] }, status: 500 };
  const [, kept] = await effectsAt(served);
  expect(kept).toMatchObject({ effect: "release", detail: "its company is not deleted" });
  const [, gone] = await effectsAt({ ...served, onUnreadable: "delete" });
  expect(gone).toMatchObject({ effect: "delete", writes: 0, detail: "with its company" });
});

it("of each of many companies: what cannot be read of the last one is said, and it is not deleted", async () => {
  const count = 60;
  const unreadable = String(Number(id) + count - 1);
  const effects = await effectsAt({ company: { company_usage: [month("July", 10)] }, count, unreadable });
  const companies = effects.filter((_, at) => at % 2 === 0);
  const sentences = companies.map(({ effect, loss }) => (effect === "delete" ? describeLoss(loss!) : effect));
  expect(sentences).toEqual([...Array(count - 1).fill("with 10 sent and 0 open envelopes"), "blocked"]);
  const contents = effects.filter((_, at) => at % 2 === 1);
  expect(contents.map(({ effect }) => effect)).toEqual([...Array(count - 1).fill("delete"), "release"]);
});

it("of numbers that are known in part, sums and words", () => {
  const words = ([...amounts]: Parameters<typeof sumAmounts>[0]) => {
    const sum = sumAmounts(amounts);
    return [describeAmount(sum), describeWrites(sum)];
  };
  expect(words([])).toEqual(["0", "0 writes"]);
  expect(words([1])).toEqual(["1", "1 write"]);
  expect(words([10, 1])).toEqual(["11", "11 writes"]);
  expect(words([{ least: 0, most: 1 }])).toEqual(["at most 1", "at most 1 write"]);
  expect(words([{ least: 1, most: 1 }])).toEqual(["1", "1 write"]);
  expect(words([20, { least: 0, most: 1 }])).toEqual(["at most 21", "at most 21 writes"]);
  expect(words([1, { least: 0 }])).toEqual(["at least 1", "at least 1 write"]);
  expect(words([{ least: 0 }, { least: 0, most: 1 }])).toEqual(["unknown", "unknown number of writes"]);
});
