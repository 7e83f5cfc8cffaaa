/** Users and contacts: found by their email address, and never an account without an administrator. */
import { describe, expect, it, vi } from "vitest";
import { type Properties, UNKNOWN, unwrapAll } from "../../provider/core/pulumi-values";
import { deletionEffects } from "../../provider/lifecycle/dry-run/deletion-effects";
import { Administrators } from "../../provider/resources/administrators";
import { definitions } from "../../provider/resources/index";
import { urnOf } from "../plugin/client";
import { wired } from "./handlers";
import { onStage } from "./on-stage";
import { type Declared, isWrite, preview, update } from "./previewed";

const world = onStage();
const user = (args: Properties) => wired("user", { deletionProtection: false, ...args });
const nora = { name: "Nora North", email: "nora@northwind.example", role: "super-admin" };
const nils = { name: "Nils", email: "nils@northwind.example", role: "admin" };
const demoted = { ...nora, role: "user" };
const previewed = (args: Properties, name = args.name) =>
  ({
    ...user(args),
    __resource: { isPreview: true, secrets: [], declared: 1, urn: urnOf("User", String(name)) },
  }) as Properties;
const create = async (args: Properties) => {
  const made = await world.create("user", user(args));
  world.acknowledge(made);
  world.service.clearLog();
  return made;
};

describe("adoption", () => {
  it("finds a user by the email address alone, and brings it to what is declared", async () => {
    const args = user({ ...nora, name: "Eleanora", email: "NORA@northwind.example" });
    const made = await world.create("user", args);
    expect(world.writes()).toMatchObject([{ method: "PUT", fields: ["user_name"] }]);
    expect(made.said).toContain("adopted the existing one (updating name)");
    expect(made.outs).toMatchObject({ role: "super-admin", userId: made.id });
  });

  it("finds a contact that an envelope has created", async () => {
    await world.client.envelopes.createFromTemplate({
      envelope_title: "Ours",
      envelope_documents: [{ document_title: "A", document_template_fingerprint: "template-agreement" }],
      envelope_parties: [
        { party_id: 1, party_name: "Carla", party_email: "carla@client.example" },
        { party_id: 2, party_name: "Pat", party_email: "pat@client.example" },
      ],
    });
    world.service.clearLog();
    const inputs = wired("contact", { name: "Carla", email: "carla@client.example" });
    await world.phase().contact.create(inputs);
    expect(world.writes()).toEqual([]);
  });

  it("of a second one with the address: an error, also where another one is asked for: the service refuses it", async () => {
    const inputs = wired("contact", { name: "Carla", email: "carla@client.example" });
    const phase = world.phase();
    await phase.contact.create(inputs);
    await expect(phase.contact.create({ ...inputs, name: "C." })).rejects.toThrow("ESIGN1013");
    await expect(phase.contact.create({ ...inputs, onExisting: "create" })).rejects.toThrow(
      /email: contacts\.create: .*\(code 10059\)\. Nothing was changed\. Use the existing contact/,
    );
    expect(await world.client.contacts.list().all()).toHaveLength(1);
  });
});

describe.each([
  { handler: "user", roles: ["super-admin", "admin", "user"] },
  { handler: "contact", roles: undefined },
] as const)("the email address of another $handler", ({ handler, roles }) => {
  const people = [nora, nils, { name: "Ann", email: "ann@northwind.example" }].map(({ name, email }) => ({
    name,
    email,
  }));
  const free = "free@northwind.example";
  const declare = (args: Properties, at = 2): Declared => ({
    handler,
    name: String(args.name),
    args: { ...args, ...(roles && { role: roles[at], deletionProtection: false }) },
  });
  /** People as resources of a state, and a program that gives them these addresses, in this order. */
  async function moved(...emails: (string | undefined)[]) {
    const made = people.map((args, at) => declare(args, at));
    expect((await update(world, made)).refusals).toEqual([]);
    return made.map((one, i) => ({ ...one, args: { ...one.args, ...(emails[i] && { email: emails[i] }) } }));
  }
  const [a, b, c] = people.map(({ email }) => email);
  const emails = async (names: readonly string[] = people.map(({ name }) => name)) => {
    const found =
      handler === "user"
        ? (await world.client.users.list().all()).map((each) => [each.user_name, each.user_email])
        : (await world.client.contacts.list().all()).map((each) => [each.contact_name, each.contact_email]);
    return names.map((name) => found.find(([other]) => other === name)?.[1]);
  };

  it.each<[string, (string | undefined)[], boolean[]]>([
    ["two that swap", [b, a], [true, true, false]],
    ["three in a circle", [b, c, a], [true, true, true]],
    ["one who leaves only later", [b, free], [true, false, false]],
  ])("is refused by the plan, before any request of the update: %s", async (_, wanted, blocked) => {
    const program = await moved(...wanted);
    const { effects } = await preview(world, program);
    const isBlocked = (name: string) => effects.some((each) => each.name === name && each.effect === "blocked");
    expect(program.map(({ name }) => isBlocked(name))).toEqual(blocked);
    expect(effects.find(({ effect }) => effect === "blocked")?.detail).toMatch(
      new RegExp(`another ${handler} of the account has this email address \\(id \\d+\\).*ESIGN1044`, "s"),
    );
  });

  it("is refused, with what to do, while the resource of the other one is removed in the same run: its deletion comes last", async () => {
    const [first, second] = await moved(b);
    const program = [first!];
    const advice = /has this email address \(id \d+\); nothing was changed.*its deletion comes last: keep the former/s;
    expect((await preview(world, program)).effects).toMatchObject([
      { effect: "blocked", detail: expect.stringMatching(advice) },
    ]);
    const { refusals, requests } = await update(world, program);
    expect(refusals).toEqual([expect.stringMatching(advice)]);
    expect(requests.filter(isWrite)).toEqual([]);
    await world.phase()[handler].delete(second!.state!.id, wired(handler, unwrapAll(second!.state!.outs)));
    expect((await update(world, program)).refusals).toEqual([]);
    expect(await emails(["Nora North", "Nils"])).toEqual([b, undefined]);
  });

  it.each([
    ["one who leaves before", [free, a], [free, a, c]],
    ["a row of them", [free, a, b], [free, a, b]],
    ["another spelling of one's own", [a?.toUpperCase()], [a?.toUpperCase(), b, c]],
  ])("is free in the same run, whichever update is sent first: %s", async (_, wanted, expected) => {
    const program = await moved(...wanted);
    const planned = await preview(world, program);
    expect(planned.effects.filter(({ effect }) => effect === "blocked")).toEqual([]);
    // Until the first is answered, the others would be sent.
    world.service.configure({ faults: [{ kind: "latency", operation: `${handler}s.update`, ms: 5 }] });
    const done = await update(world, program);
    expect(done.refusals).toEqual([]);
    expect((await emails()).map((email) => email?.toLowerCase())).toEqual(
      expected.map((email) => email?.toLowerCase()),
    );
  });

  it("passes to a new one when the former one has left it", async () => {
    const [first] = await moved(free);
    const program = [first!, declare({ name: "Heir", email: a })];
    expect((await preview(world, program)).effects).toMatchObject([{ effect: "update" }, { effect: "create" }]);
    world.service.configure({ faults: [{ kind: "latency", operation: `${handler}s.update`, ms: 5 }] });
    expect((await update(world, program)).refusals).toEqual([]);
    expect(await emails(["Heir", "Nora North"])).toEqual([a, free]);
  });
});

describe("the last administrator", () => {
  it("is not deleted, and nothing is sent", async () => {
    const made = await create(nora);
    await expect(made.delete()).rejects.toThrow(/last administrator.*ESIGN1043/s);
    expect(world.writes()).toEqual([]);
  });

  it("has other ways in a subaccount, where no other user can take the role", async () => {
    const company = { company_name: "Firm", user_name: "Ida", user_email: "ida@firm.example" };
    const { company_id: account } = await world.client.companies.create(company);
    const made = await create({ name: "Ida", email: "ida@firm.example", role: "super-admin", account });
    await expect(made.delete()).rejects.toThrow(/ESIGN1043.*one user.*deletedWith.*retainOnDelete/s);
    expect(world.writes()).toEqual([]);
  });

  it("is not made an ordinary user: neither by an update nor by an adoption, as the preview says", async () => {
    const made = await create(nora);
    const phase = world.phase();
    const { inputs } = await phase.user.check(made.outs, previewed(demoted));
    await expect(made.plan(inputs, phase)).rejects.toThrow("ESIGN1043");
    await expect(made.update(user(demoted))).rejects.toThrow("ESIGN1043");
    world.forget();
    const { failures } = await world.phase().user.check({}, previewed(demoted));
    expect(failures[0]?.reason).toContain("ESIGN1043");
    await expect(world.create("user", user(demoted))).rejects.toThrow("ESIGN1043");
    expect(world.writes()).toEqual([]);
  });

  it("is not one by a role that this version does not know, and may be one who leaves", () => {
    const others = [
      { id: "1", role: "super-admin" },
      { id: "2", role: "user" },
      { id: "3", role: undefined },
    ];
    const people = [...others, { id: "4", role: "7" }];
    expect(() => new Administrators().remove("1", people)).toThrow("last administrator");
    const administrators = new Administrators();
    for (const id of ["2", "3", "4"]) administrators.remove(id, people);
    expect(() => new Administrators().remove("4", people.slice(1))).toThrow("last administrator");
  });

  it("is not made an ordinary user by the run after a kill, which declares another role than the one before", async () => {
    const { id } = await world.create("user", user(nils));
    const [first] = await world.client.users.list().all();
    await world.client.users.update({ user_id: first!.user_id, user_name: nora.name, role_id: "1" });
    world.service.clearLog();
    await expect(world.create("user", user({ ...nils, role: "user" }))).rejects.toThrow("ESIGN1043");
    expect(world.writes()).toEqual([]);
    const users = await world.client.users.list().all();
    expect(users.find(({ user_id }) => user_id === id)?.role_id).toBe("2");
  });

  it("hands over to one that the program makes an administrator before", async () => {
    const made = await create(nora);
    const phase = world.phase();
    expect((await phase.user.check({}, previewed(nils))).failures).toEqual([]);
    await phase.user.check(made.outs, previewed(demoted));
    expect(await made.differs(user(demoted), phase)).toBe(true);
    const run = world.phase();
    await world.create("user", user(nils), run);
    await made.update(user(demoted), run);
    expect((await world.client.users.list().all()).map(({ role_id }) => role_id)).toEqual(["1", "2"]);
  });

  it("is not refused a role that is not known yet", async () => {
    const one: Declared = { handler: "user", name: "nora", args: user(nora) };
    await update(world, [one]);
    const { effects } = await preview(world, [{ ...one, args: user({ ...nora, role: UNKNOWN }) }]);
    expect(effects).toMatchObject([{ effect: "update", writes: 1 }]);
  });

  it("of two that leave at once, one stays", async () => {
    const [first, second] = [await create(nora), await create(nils)];
    const phase = world.phase();
    const outcomes = await Promise.allSettled([
      first.delete(phase),
      second.update(user({ ...nils, role: "user" }), phase),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const roles = (await world.client.users.list().all()).map(({ role_id }) => role_id);
    expect(roles.some((role) => role !== "1")).toBe(true);
  });

  it("is blocked in the plan of a destroy, which says what it waits for", async () => {
    const type = "pulumi-nodejs:dynamic/esign:User";
    const made = [await create(nora), await create(nils)];
    const views = made.map(({ id, outs }, urn) => ({ urn: `${urn}`, id, outputs: outs, type })) as never[];
    const steps = made.map(({ id }, urn) => ({ urn: `${urn}`, id, type, op: "delete" })) as never[];
    world.service.configure({ faults: [{ kind: "status", status: 429, retryAfter: 2, times: 1 }] });
    const logWait = vi.fn();
    const effects = await deletionEffects(steps, {
      logWait,
      open: views,
      closed: views,
      configuration: { get: (key) => world.settings[key.replace(/^esign:/, "")] },
      environment: {},
      offline: false,
    });
    expect([...effects.values()].map(({ effect }) => effect)).toEqual(["delete", "blocked"]);
    expect([...effects.values()][1]?.detail).toContain("last administrator");
    expect(logWait.mock.calls).toEqual([[expect.stringContaining("the next attempt follows in 2 s")], [""]]);
  });

  it("is protected from deletion before that by default", async () => {
    const made = await create(nils);
    const { deletionProtection: _, ...protectedOnes } = made.outs;
    await expect(made.having(protectedOnes).delete()).rejects.toThrow(/would lose access.*ESIGN1040/s);
    await made.delete();
  });
});

it.each(["specification", "current"] as const)(
  "an interface without users and contacts is named, in the preview and the run (%s)",
  async (edition) => {
    world.service.configure({ edition, missing: ["users", "contacts"] });
    for (const [handler, inputs] of [
      ["user", user(nils)],
      ["contact", wired("contact", { name: "C", email: "c@client.example" })],
    ] as const) {
      const { failures } = await world.phase()[handler].check(
        {},
        {
          ...inputs,
          __resource: { isPreview: true, secrets: [], declared: 1, urn: urnOf(definitions[handler].kind, "x") },
        },
      );
      expect(failures[0]?.reason).toContain(`this account's interface has no ${handler}s`);
      expect(failures[0]?.reason).toContain(`Manage ${handler}s in the web app, and declare none for this account`);
      await expect(world.phase()[handler].create(inputs)).rejects.toThrow("interface has no");
    }
  },
);
