/** `esign fleet` but for the engines: customers, stacks, batches, the journal and the work itself. */
import fs, { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { doneText, nameOf, outcomeLine } from "../../cli/commands/fleet/fleet-display";
import { htmlPage, summaryOf } from "../../cli/commands/fleet/fleet-report";
import { readUsage, usageCsv } from "../../cli/commands/fleet/usage";
import { allowedFailures, type CountOrShare, parseCountOrShare, toBatches } from "../../cli/fleet/batches";
import { type CustomerStack, configurationHash } from "../../cli/fleet/customer-stacks";
import { readCustomers, toCustomer } from "../../cli/fleet/customers";
import { Journal, parseJournal } from "../../cli/fleet/journal";
import { isChanged, runFleet } from "../../cli/fleet/run-fleet";
import { dividePending } from "../../cli/fleet/select-stacks";
import { csvCell } from "../../cli/output/csv";
import { ApiError, type Client } from "../../sdk";
import { fc } from "../chance";
import { temporaryFolder } from "../files";

const folder = temporaryFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const acme = { id: "acme", suspended: false, values: { name: "Acme, Ltd", values: { colour: "#0B7285" } } };

describe("customers", () => {
  it.each([
    ["c.csv", '\uFEFFid,name,values.colour,suspended\nacme,"Acme, Ltd",#0B7285,\n\nbond,Bond,,TRUE\n'],
    [
      "c.yaml",
      "- {id: acme, name: 'Acme, Ltd', values: {colour: '#0B7285'}}\n- {id: bond, name: Bond, suspended: true}",
    ],
    [
      "c.json",
      '[{"id":"acme","name":"Acme, Ltd","values":{"colour":"#0B7285"}},{"id":"bond","name":"Bond","suspended":true}]',
    ],
    [
      "c.mjs",
      `export default async function* () {
         yield { id: "acme", name: "Acme, Ltd", "values.colour": "#0B7285" };
         yield { id: "bond", name: "Bond", suspended: true };
       }`,
    ],
  ])("are the same in %s", async (name, text) => {
    expect(await readCustomers(file(name, text))).toMatchObject([
      acme,
      { id: "bond", suspended: true, values: { name: "Bond" } },
    ]);
  });

  it.each([
    ["id,name\na,A\na,B\n", "records 1 and 2 have the same id, a"],
    ["id,name\nacme,A\nAcme,B\n", "records 1 and 2 have ids that differ in case only, acme and Acme"],
    ["id,name\n../x,A\n", "record 1: id becomes a part of a stack's name"],
    ["id,name\n,A\n", "record 1 has no id"],
    ["id,suspended\na,perhaps\n", "suspended must be true or false"],
    ["id,name\n", "has no customers"],
    ['id,name\na,\'hush-hush"x\n"b,2,3\n', "is not valid CSV"],
    ["id,name\na,hush-hush,b\n", "line 2: it has more or fewer cells than the first line"],
    ['id,name\na,"hush-hush\n', "line 2: a quote is not closed"],
    ["id,name,name\na,A,hush-hush\n", 'two columns are called "name"'],
    ["acme,hush-hush\nbond,Bond\n", "its first line has no column id: it must name the columns"],
    ["ID,name\nacme,Acme\n", "its column ID must be called id"],
    ["id;name\nacme;hush-hush\n", 'columns must be separated by commas, and the first line has ";"'],
    ["id\tname\nacme\thush-hush\n", "the first line has tabs"],
    ["id,first name\na,hush-hush\n", '"first name" is not a name for configuration'],
    ["id,esign:apikey\na,hush-hush\n", "esign:apikey is not a setting (settings: apiKey, baseUrl"],
    ["id,a.b.c\na,1\n", "a.b.c must be a name"],
  ])("of %j are refused with a message", async (text, message) => {
    const error = await readCustomers(file("wrong.csv", text)).catch((e: Error) => e);
    expect(error).toMatchObject({ name: "UsageError", message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain("hush-hush");
  });
});

it("a source that fails in the middle is named, with the place", async () => {
  const text = "export default async function* () { yield { id: 'a' }; throw new Error('connection lost'); }";
  const path = file("lost.mjs", text);
  await expect(readCustomers(path)).rejects.toThrow(`${path} failed after 1 record: connection lost`);
});

const customer = (record: object) => toCustomer(record, "here");

const amounts: fc.Arbitrary<CountOrShare> = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((count) => ({ count })),
  fc.integer({ min: 0, max: 100 }).map((percent) => ({ percent })),
);
const customerStack = (stack: string): CustomerStack => ({
  stack,
  ids: [stack],
  config: {},
  unset: [],
  suspended: false,
});

describe("batches", () => {
  it("a share is exact: no fraction of a stack more or less", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 1, max: 2000 }), (tenths, all) => {
        const percent = tenths / 10;
        const items = Array.from({ length: all });
        expect(toBatches(items, { canary: { percent } })[0]).toHaveLength(
          Math.max(1, Math.ceil((tenths * all) / 1000)),
        );
        expect(allowedFailures({ percent }, all)).toBe(Math.floor((tenths * all) / 1000));
      }),
    );
  });

  it("hold each stack once, in order, and the canary goes first", () => {
    const items = Array.from({ length: 250 }, (_, i) => i);
    const sizes = (canary?: string, batch?: string) =>
      toBatches(items, {
        canary: canary === undefined ? undefined : parseCountOrShare(canary, "--canary"),
        batch: batch === undefined ? undefined : parseCountOrShare(batch, "--batch"),
      }).map(({ length }) => length);
    expect(sizes("1%", "30%")).toEqual([3, 75, 75, 75, 22]);
    expect(sizes("5")).toEqual([5, 245]);
    expect(sizes(undefined, "100")).toEqual([100, 100, 50]);
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.option(amounts), fc.option(amounts), (all, canary, batch) => {
        const batches = toBatches(all, { canary: canary ?? undefined, batch: batch ?? undefined });
        expect(batches.flat()).toEqual(all);
        expect(batches.every(({ length }) => length > 0)).toBe(true);
      }),
    );
    for (const text of ["", "-1", "1.5", "101%", "x", "1 %"])
      expect(() => parseCountOrShare(text, "--batch")).toThrow("--batch");
  });

  it("begin no more stacks beyond the failures, and never more at once than allowed", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        amounts,
        fc.option(amounts),
        async (fails, parallel, maxFailures, canary) => {
          const batches = toBatches(
            fails.map((_, i) => customerStack(String(i))),
            { canary: canary ?? undefined },
          );
          let [running, failed, excess] = [0, 0, 0];
          const result = await runFleet(batches, {
            parallel,
            maxFailures,
            signal: new AbortController().signal,
            onEnd({ status }) {
              if (status === "failed") failed++;
            },
            async run({ stack }) {
              expect(++running).toBeLessThanOrEqual(parallel);
              const sizes = batches.map(({ length }) => length);
              const size = sizes.slice(0, batches.findIndex((w) => w.some((u) => u.stack === stack)) + 1);
              if (
                failed >
                allowedFailures(
                  maxFailures,
                  size.reduce((a, b) => a + b, 0),
                )
              )
                excess++;
              await Promise.resolve();
              running--;
              return { status: fails[Number(stack)] ? "failed" : "done", changes: {} };
            },
          });
          expect(excess).toBe(0);
          expect(result.outcomes.length + result.left.length).toBe(fails.length);
          expect(result.stopped === "failures").toBe(result.left.length > 0);
        },
      ),
    ));

  it("of a shared stack from which customers are removed, these are reported, and not those who remain", async () => {
    const shared = { ...customerStack("eu"), ids: ["stays"], removedIds: ["gone"] };
    const run = async () => ({ status: "done" as const, changes: { delete: 1 } });
    const options = { parallel: 1, maxFailures: { count: 0 }, signal: new AbortController().signal };
    const { outcomes } = await runFleet([[shared]], { ...options, run });
    expect(outcomeLine(outcomes[0]!)).toMatch(/ gone {2}1 delete/);
    expect(nameOf(shared)).toBe("gone");
    const past = {
      salt: "s",
      interrupted: new Set<string>(),
      finished: new Map([["eu", configurationHash(shared, "s")]]),
    };
    expect(
      dividePending([shared], "destroy", { stacks: new Set(["eu"]) }, { past, salt: "s" }).skipped[0]?.ids,
    ).toEqual(["gone"]);
  });

  it("a canary stops at its first failure where a share is allowed, and an interrupted run begins nothing more", async () => {
    const batches = toBatches(
      Array.from({ length: 100 }, (_, i) => customerStack(String(i))),
      { canary: { percent: 10 } },
    );
    const controller = new AbortController();
    const run = async () => ({ status: "failed" as const, changes: {} });
    const base = { parallel: 1, maxFailures: { percent: 5 }, signal: controller.signal };
    expect(await runFleet(batches, { ...base, run })).toMatchObject({ stopped: "failures", outcomes: { length: 1 } });
    controller.abort();
    expect(await runFleet(batches, { ...base, run })).toMatchObject({ stopped: "cancelled", outcomes: [] });
  });
});

describe("the journal", () => {
  it("says after a kill what was finished, with which values, and what was not", async () => {
    mkdirSync(join(folder, "journal"));
    const open = (resume: boolean) => Journal.open(join(folder, "journal"), "up", "up-customer-", resume);
    const first = await open(true);
    expect(first.past).toBeUndefined();
    first.begin("a");
    first.end("a", true, "hash-a");
    first.begin("b");
    first.end("b", false, "hash-b");
    first.begin("c");
    first.close();
    const second = await open(true);
    expect(second.salt).toBe(first.salt);
    expect(second.past).toMatchObject({ finished: new Map([["a", "hash-a"]]), interrupted: new Set(["c"]) });
    second.begin("a");
    second.close();
    const third = await open(true);
    expect(third.past).toMatchObject({ finished: new Map(), interrupted: new Set(["a", "c"]) });
    third.close();
    const fresh = await open(false);
    expect([fresh.past, fresh.salt === first.salt]).toEqual([undefined, false]);
    fresh.close();
  });

  it("is of one run at a time, also after a resumed one, and stays whole when a second one is refused", async () => {
    const place = join(folder, "one-run");
    mkdirSync(place);
    const path = join(place, ".esign/fleet/up-x.jsonl");
    const open = (resume: boolean) => Journal.open(place, "up", "up-x", resume);
    (await open(false)).close();
    for (const resume of [false, true]) {
      const running = await open(resume);
      running.begin("a");
      const before = readFileSync(path, "utf8");
      for (const again of [false, true]) await expect(open(again)).rejects.toThrow("is running already, as process");
      expect(readFileSync(path, "utf8")).toBe(before);
      running.end("a", true, "h");
      running.close();
    }
    // Of another process, whatever the first line of the journal says.
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.ppid }));
    await expect(open(true)).rejects.toThrow(`as process ${process.ppid}`);
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 30 }));
    const resumed = await open(true);
    expect(resumed.past?.finished.get("a")).toBe("h");
    resumed.close();
  });

  it("of a later version is not resumed, and kept: what is done would be done again", async () => {
    const place = join(folder, "later");
    const path = join(place, ".esign/fleet/up-later.jsonl");
    mkdirSync(join(place, ".esign/fleet"), { recursive: true });
    const text = '{"version":2,"what":"up"}\n';
    writeFileSync(path, text);
    const open = (resume: boolean) => Journal.open(place, "up", "up-later", resume);
    await expect(open(true)).rejects.toThrow(
      `${path} was written by a later version of esign. Resume with that version`,
    );
    expect(readFileSync(path, "utf8")).toBe(text);
    (await open(false)).close();
  });

  it("is read where lines of it are no objects, as others may have written them", () => {
    const header = '{"version":1,"verb":"up","salt":"s","owner":{"pid":1}}';
    for (const line of ["12", "null", "true", '"begin"', "[]", "{}", '["begin"]', '{"begin":', "\0\0"]) {
      const past = parseJournal(`${line}\n${header}\n${line}\n{"begin":"a"}\n${line}\n`);
      expect(past, line).toMatchObject({ salt: "s", finished: new Map(), interrupted: new Set(["a"]) });
    }
  });

  it("takes no line for written that the disk has had room for in part: the next one is read", async () => {
    const place = join(folder, "full-disk");
    mkdirSync(place);
    const journal = await Journal.open(place, "up", "up-full", false);
    journal.begin("a");
    const full = vi.spyOn(fs, "writeSync").mockImplementationOnce((() => 5) as typeof fs.writeSync);
    syncBuiltinESMExports();
    expect(() => journal.end("a", true, "h")).toThrow("no space left on device");
    full.mockRestore();
    syncBuiltinESMExports();
    appendFileSync(join(place, ".esign/fleet/up-full.jsonl"), '{"end":"a","ok":true');
    journal.begin("b");
    journal.close();
    const resumed = await Journal.open(place, "up", "up-full", true);
    expect(resumed.past).toMatchObject({ finished: new Map(), interrupted: new Set(["a", "b"]) });
    resumed.close();
  });

  it("of which the end was cut off is read up to there", () => {
    const lines = [
      '{"version":1,"verb":"up","salt":"s","owner":{"pid":1}}',
      '{"begin":"a"}',
      '{"end":"a","ok":true,"hash":"h"}',
    ];
    const text = lines.join("\n");
    fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        const past = parseJournal(`${text.slice(0, length)}\n\n${lines[0]}\n{"begin":"b"}\n`);
        expect(past?.interrupted.has("b")).toBe(true);
        expect(past?.finished.has("a")).toBe(length === text.length);
      }),
    );
    expect(parseJournal("\0\0\0")).toBeUndefined();
    for (const damaged of ["12", "null", '"begin"', "[1]", '{"begin":7}', '{"end":"a"}'])
      expect(parseJournal([lines[0], damaged, ...lines.slice(1)].join("\n"))?.finished.get("a"), damaged).toBe("h");
  });
});

const report = {
  verb: "up",
  outcomes: [
    { stack: "customer-a", ids: ["a"], status: "done" as const, changes: { same: 1, create: 2 }, seconds: 1 },
    { stack: "customer-b", ids: ["b"], status: "failed" as const, reason: "<b>no</b>", changes: {}, seconds: 2 },
  ],
  left: ["customer-c"],
  removed: ["customer-z"],
  stopped: "failures" as const,
  seconds: 3,
  endedAt: "2026-11-24T09:00:00.000Z",
};

it("the report says what was done, on a page that shows texts as they are", () => {
  expect(summaryOf(report)).toBe(
    "Fleet up: 1 stack done, 1 with changes, 1 failed, 0 skipped, 1 not started, stopped by failures",
  );
  const page = htmlPage(report);
  expect(page).toContain("&lt;b&gt;no&lt;/b&gt;");
  expect(page).toContain("<td>2 create</td>");
  expect(page).toContain("customer-z");
  const [done] = report.outcomes;
  const account = { effects: {}, writes: 2, unread: 0 };
  expect(doneText({ ...done!, changes: { create: 2, adopt: 9 }, account })).toBe(
    "2 create, 9 adopt; Account writes: 2",
  );
  expect(doneText({ ...done!, account: { ...account, writes: { least: 1 }, unread: 1 } })).toBe(
    "2 create; Account writes: at least 1, 1 resource not read",
  );
  expect(doneText({ ...done!, changes: { "adopt-and-update": 1, none: 1, options: 3 } })).toBe(
    "1 adopt and update, 1 update state only, 3 change options",
  );
  const empty = { ...done!, changes: { same: 3 }, account: { ...account, writes: 0 } };
  expect([doneText(empty), isChanged(empty)]).toEqual(["no changes", false]);
  // Counts decide, as they do for one stack: to read an object changes nothing, and no sentence is compared.
  const onlyRead = { ...empty, changes: { same: 3, read: 1, refresh: 2, update: 0 } };
  expect([doneText(onlyRead), isChanged(onlyRead)]).toEqual(["no changes", false]);
  const first = { ...empty, isStateChanged: true };
  expect([doneText(first), isChanged(first)]).toEqual(["state only", true]);
});

it.each(
  ["", " ", "\u00a0", "\n", "\r\n ", "\t", "\0", "\u200b", "\ufeff", "\u3000", "\u2028", "'", "\0 \u00a0\n"].flatMap(
    (before) =>
      ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\u2212"].map((sign) => [before + sign] as const),
  ),
)("a cell of CSV that begins with %j is a text", (begin) => {
  const cell = csvCell(`${begin}1+1;x`);
  // A quote for spreadsheets before it, and the quotes of CSV around both.
  expect(cell.startsWith(`"'`)).toBe(true);
  expect(cell).not.toContain("\0");
});

it("a cell of CSV is what it was where it is no formula", () => {
  expect(["Acme = 1", "a@b.example", "x-y", "1", -5, undefined, 'say "no"'].map(csvCell)).toEqual([
    "Acme = 1",
    "a@b.example",
    "x-y",
    "1",
    "-5",
    "",
    '"say ""no"""',
  ]);
});

it("usage is of companies found by id or by a name that only one has, and no text becomes a formula", async () => {
  const companies = [
    { company_id: "1", company_name: "=Acme, Ltd" },
    { company_id: "2", company_name: "Same" },
    { company_id: "3", company_name: "Same" },
  ];
  const client = {
    companies: {
      list: () => companies,
      get: async ({ company_id }: { company_id: string }) => {
        const found = companies.find((company) => company.company_id === company_id);
        if (found === undefined) throw new ApiError("no company", {}, 404, 10355, undefined, undefined);
        return { ...found, company_usage: [{ month: "May", year: "2026", sent: 7 }] };
      },
    },
  } as unknown as Client;
  const customers = [
    { id: "a", name: "=Acme, Ltd" },
    { id: "b", name: "Same" },
    { id: "gone", companyId: 9 },
    { id: "c", companyId: 3 },
  ].map(customer);
  const { rows, unknown } = await readUsage(client, customers, 2);
  expect(unknown).toEqual(["b", "gone"]);
  expect(usageCsv(rows)).toBe(`id,companyId,name,year,month,sent\na,1,"'=Acme, Ltd",2026,May,7\nc,3,Same,2026,May,7\n`);
});
