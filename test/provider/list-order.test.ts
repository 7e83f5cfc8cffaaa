/** Lists that are sets, at a service that returns them in an order of its own; and values that a service never applies. */
import { describe, expect, it } from "vitest";
import { compare } from "../../account-folder/diff/compare";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import type { Properties } from "../../provider/core/pulumi-values";
import { serve } from "../sdk/server";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();
const name = "setting_signature_format_accepted";

/** The address of the service, where responses have the list as `change` leaves it. */
async function rewriting(change: (list: string[]) => string[]): Promise<void> {
  const gateway = await serve(async ({ method, url, body, headers }) => {
    const sent = method === "PUT" ? { body: new URLSearchParams(body) } : {};
    const { authorization } = headers;
    const response = await fetch(world.service.url + url, {
      method,
      headers: { authorization: authorization! },
      ...sent,
    });
    const json = (await response.json()) as Record<string, unknown>;
    if (typeof json[name] === "string") json[name] = change(json[name].split(",")).join(", ");
    return { status: response.status, body: json };
  });
  world.settings.baseUrl = gateway.url;
}

const accepted = (...list: string[]) => ({ signatureFormatAccepted: list });

describe.each<[string, (list: string[]) => string[]]>([
  ["sorts them", (list) => list.sort()],
  ["sorts them backwards", (list) => list.sort().reverse()],
  ["returns them in another order", (list) => [...list.slice(1), ...list.slice(0, 1)]],
  ["repeats a member", (list) => [...list, list[0]!]],
])("a list that is a set, at a service that %s", (_, change) => {
  it("is created, planned, refreshed, updated and restored as a set, in the order of the program", async () => {
    await rewriting(change);
    const before = await world.client.settings.get();
    const made = await world.create("settings", accepted("upload", "typed", "drawn"));
    expect(made.outs.signatureFormatAccepted).toEqual(["upload", "typed", "drawn"]);
    expect(await made.differs(accepted("drawn", "upload", "typed"))).toBe(false);
    const read = await made.read();
    expect([read.outs.signatureFormatAccepted, await read.differs(accepted("upload", "typed", "drawn"))]).toEqual([
      ["upload", "typed", "drawn"],
      false,
    ]);
    world.service.clearLog();
    const less = await read.update({ ...accepted("typed", "drawn"), emailPdfAttach: false });
    expect(less.outs.signatureFormatAccepted).toEqual(["typed", "drawn"]);
    // Neither a conflict nor a write where only the order differs.
    const again = await less.update({ ...accepted("drawn", "typed"), emailPdfAttach: true });
    expect(world.writes().map(({ fields }) => fields)).toEqual(
      [[name, "setting_email_pdf_attach"].sort(), ["setting_email_pdf_attach"]].map((fields) =>
        expect.arrayContaining(fields),
      ),
    );
    expect(world.writes()[1]!.fields).toEqual(["setting_email_pdf_attach"]);
    await again.delete();
    const members = (settings: object) => new Set(String((settings as Properties)[name]).split(","));
    expect(members(await world.client.settings.get())).toEqual(members(before));
  });
});

it("files and account differ in members, not in their order", () => {
  const sides = (text: string): ConfigSource => ({
    model: { Settings: [{ fields: { signatureFormatAccepted: text } }] },
    label: text,
    isAuthoritative: true,
  });
  const changes = (a: string, b: string) => compare(sides(a), sides(b)).changes;
  expect(changes("typed,drawn", "drawn, typed")).toEqual([]);
  expect(changes("typed,drawn", "typed")).toHaveLength(1);
});

it("a value that the service never applies is no promise: the second failure is said to be one", async () => {
  await rewriting(() => ["typed"]);
  await world.client.settings.update({ [name]: "typed" } as never);
  const inputs = wired("settings", accepted("upload", "drawn"));
  const first = await world
    .phase()
    .settings.create(inputs)
    .catch((error) => error);
  expect(first.message).toMatch(/did not change signatureFormatAccepted.*Rerun/s);
  let state: Properties = wired("settings", first.properties);
  const fail = async (news: Properties) => {
    const error = await world
      .phase()
      .settings.update("settings", state, wired("settings", news))
      .catch((failure) => failure);
    state = wired("settings", error.properties);
    return error.message as string;
  };
  for (let run = 2; run < 4; run++) {
    const message = await fail(accepted("drawn", "upload"));
    expect(message).toMatch(/for the second time with the same value.*Another run does not help/s);
    expect(message).not.toMatch(/completes it|Rerun/);
  }
  // Another value is tried for the first time.
  expect(await fail(accepted("upload"))).toMatch(/did not change.*Rerun/s);
});
