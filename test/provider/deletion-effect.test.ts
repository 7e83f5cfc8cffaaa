/** What a deletion does to the account, derived from the state alone. */
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { type DeletedResource, deletionEffect } from "../../provider/plan/deletion-effect";
import { definitions, type HandlerName } from "../../provider/resources/index";

const of = (handler: HandlerName, state: Properties, more: Partial<DeletedResource> = {}) =>
  deletionEffect({ definition: definitions[handler], id: "1", state, ...more });
const hook = { type: "all", url: "https://r.example/" };
const email = { type: "email-send", subject: "new", content: "<p>new</p>" };

it("deletes a webhook, and says whether it existed before the stack", () => {
  expect(of("webhook", { ...hook, __esign: { version: 1, instanceId: "a" } })).toEqual({
    effect: "delete",
    writes: 1,
    id: "1",
  });
  expect(of("webhook", { ...hook, __esign: { version: 1, adopted: true } })).toEqual({
    effect: "delete",
    writes: 1,
    id: "1",
    adopted: true,
  });
});

it("is blocked by protection, and keeps what the engine or the program keeps", () => {
  const detail = "protected; set protect: false and run `up` first";
  expect(of("webhook", hook, { protect: true })).toMatchObject({ effect: "blocked", writes: 0, detail });
  expect(of("company", { name: "N" })).toMatchObject({
    effect: "blocked",
    detail: expect.stringContaining("deletionProtection"),
  });
  expect(of("company", { name: "N" }, { protect: true }).detail).toContain("set deletionProtection: false");
  // Under a new name, it is the same object.
  expect(of("company", { name: "N" }, { protect: true, isAdoptedByOther: true })).toMatchObject({
    effect: "blocked",
    detail: expect.stringContaining("add an alias"),
  });
  expect(of("company", { name: "N", deletionProtection: false })).toMatchObject({ effect: "delete" });
  expect(of("webhook", hook, { retainOnDelete: true })).toMatchObject({ effect: "release", detail: "retainOnDelete" });
  expect(of("branding", { colour: "#112233", onDelete: "keep" })).toMatchObject({
    effect: "release",
    detail: 'onDelete: "keep"',
  });
});

it("writes nothing of its own where the object has passed to another resource, or goes or stays with its company", () => {
  const edited = { ...email, __esign: { version: 1, instanceId: "a", fields: { subject: { original: "old" } } } };
  const container = (effect: "delete" | "release" | "blocked", detail?: string) => ({
    container: { effect, writes: 1, detail },
  });
  for (const [handler, state] of [
    ["webhook", hook],
    ["brandingEmail", edited],
  ] as const) {
    const effectOf = (more: Partial<DeletedResource>) => {
      const { effect, writes, detail } = of(handler, state, more);
      return [effect, writes, detail];
    };
    expect(effectOf({ isAdoptedByOther: true })).toEqual(["release", 0, expect.stringContaining("adopts it")]);
    expect(effectOf({ isAdoptedByOther: true, adoptedFields: ["subject", "content"] })).toEqual(
      effectOf({ isAdoptedByOther: true }),
    );
    expect(effectOf(container("delete", "with 3 sent"))).toEqual(["delete", 0, "with its company"]);
    expect(effectOf(container("release", "retainOnDelete"))).toEqual([
      "release",
      0,
      "with its company: retainOnDelete",
    ]);
    expect(effectOf(container("blocked"))).toEqual(["release", 0, "its company is not deleted"]);
    expect(effectOf({ ...container("delete"), protect: true })[0]).toBe("blocked");
  }
});

it("restores the fields whose original is known and different, with values only of what is not secret", () => {
  const state = {
    ...email,
    __esign: {
      version: 1,
      instanceId: "a",
      fields: { subject: { original: "old" }, content: { original: "<p>new</p>" } },
    },
  };
  expect(of("brandingEmail", state, { secrets: [] })).toEqual({
    effect: "restore",
    writes: 1,
    id: "1",
    fields: [{ field: "subject", live: "new", declared: "old" }],
  });
  for (const secrets of [undefined, ["subject"]]) {
    expect(JSON.stringify(of("brandingEmail", state, { ...(secrets && { secrets }) }))).not.toMatch(/old|new/);
  }
});

it("releases what was never modified, and says whose original is not known or cannot be written", () => {
  expect(of("brandingEmail", { ...email, __esign: { version: 1, instanceId: "a", adopted: true } })).toEqual({
    effect: "release",
    writes: 0,
    id: "1",
    detail: "never modified, left unchanged",
  });
  expect(of("brandingEmail", email).detail).toBe(
    "left unchanged: subject: the original value is not known; content: the original value is not known",
  );
  const unset = { colour: "#112233", __esign: { version: 1, instanceId: "a", fields: { colour: { original: null } } } };
  expect(of("branding", unset)).toMatchObject({ effect: "release", detail: expect.stringContaining("was empty") });
});

it("restores what the resource that adopts it does not declare", () => {
  const fields = { subject: { original: "old" }, content: { original: "<p>old</p>" } };
  const renamed = (adoptedFields: string[], more: Properties = {}) =>
    of(
      "brandingEmail",
      { ...email, ...more, __esign: { version: 1, instanceId: "a", fields } },
      {
        isAdoptedByOther: true,
        adoptedFields,
        secrets: [],
      },
    );
  expect(renamed(["subject"])).toMatchObject({
    effect: "restore",
    writes: 1,
    fields: [{ field: "content", declared: "<p>old</p>" }],
  });
  expect(renamed([]).fields).toHaveLength(2);
  expect(renamed(["subject"], { onDelete: "keep" })).toMatchObject({ effect: "release", writes: 0 });
});
