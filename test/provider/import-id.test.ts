/** What an ID may be that a person types: for `pulumi import`, the option `import` and `Type.get`. */
import { describe, expect, it } from "vitest";
import { problemOfId } from "../../provider/lifecycle/validate-id";
import { definitions, type HandlerName } from "../../provider/resources/index";
import { fc } from "../chance";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();

const handlers = Object.keys(definitions) as HandlerName[];
const read = (handler: HandlerName, id: string) => world.phase()[handler].read(id, wired(handler, {}));

describe("an ID that such an object cannot have is refused before any request", () => {
  const inside = (name: string) => `Use ${name}, or <company's id>/${name} within a subaccount`;
  it.each<[HandlerName, string, string]>([
    ["webhook", "abc", `it must be a positive integer (ESIGN1020).\n${inside("<id>")}`],
    ["webhook", "0012", `it must be a positive integer (ESIGN1020).\n${inside("<id>")}`],
    ["contact", "firm/12", `what is before the "/" must be a positive integer (ESIGN1020).\n${inside("<id>")}`],
    ["user", "12/", `what is after the "/" must be a positive integer (ESIGN1020).\n${inside("<id>")}`],
    ["user", "12/34/56", `what is after the "/" must be a positive integer (ESIGN1020).\n${inside("<id>")}`],
    ["company", "12/34", "it must be a positive integer (ESIGN1020).\nUse <id>"],
    ["branding", "12", `it must be "branding" (ESIGN1020).\n${inside("branding")}`],
    ["settings", "12/branding", `what is after the "/" must be "settings" (ESIGN1020).\n${inside("settings")}`],
  ])("%s %s", async (handler, id, message) => {
    const { kind } = definitions[handler];
    await expect(read(handler, id)).rejects.toThrow(`: cannot read: the ID is not that of a ${kind}: ${message}`);
    expect(world.service.requests()).toEqual([]);
  });

  it("an email template's is its type, and a misspelt one has a suggestion", async () => {
    await expect(read("brandingEmail", "12")).rejects.toThrow(/it must be one of email-cancelled, .*\nUse <type>, or/);
    await expect(read("brandingEmail", "7/email-sned")).rejects.toThrow(
      /did you mean "email-send"\? One of: email-cancelled, /,
    );
    expect(world.service.requests()).toEqual([]);
    expect((await read("brandingEmail", "email-send")).id).toBe("email-send");
  });

  it("unless every value is accepted: then the account says what it has", async () => {
    world.settings.allowUnknownValues = "true";
    await expect(read("brandingEmail", "other")).rejects.toThrow("no BrandingEmail with ID other in this account");
  });

  it("whatever is typed, without repeating it", async () => {
    // What the web app names freely is looked up.
    const limited = handlers.filter((handler) => problemOfId(definitions[handler], "sk-live-key", false) !== undefined);
    expect(limited).toEqual(expect.arrayContaining(["webhook", "company", "branding", "brandingEmail"]));
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("__proto__", "sk-live-key", "../1"),
    );
    const hostile = fc
      .oneof(
        text,
        fc.tuple(text, text).map((parts) => parts.join("/")),
      )
      .filter((id) => id.length > 9 && !/^([1-9]\d*\/)?([1-9]\d*|branding|settings|email(-[a-z\d]+)+)$/.test(id));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...limited), hostile, async (handler, id) => {
        const error = await read(handler, id).then(String, String);
        expect(error).toContain(`the ID is not that of a ${definitions[handler].kind}`);
        expect(error).not.toContain(id);
      }),
    );
    expect(world.service.requests()).toEqual([]);
  });
});

it("the ID of each object of an account, and of a subaccount, is read", async () => {
  const args = {
    webhook: { type: "all", url: "https://r.example/" },
    contact: { name: "Ann", email: "ann@r.example" },
  };
  const company = await world.create("company", { name: "Firm", userName: "U", userEmail: "u@firm.example" });
  for (const handler of ["webhook", "contact"] as const)
    for (const account of [{}, { account: company.id }]) {
      const { id } = await world.create(handler, { ...args[handler], ...account });
      expect((await read(handler, id)).id).toBe(id);
    }
  for (const id of ["branding", `${company.id}/branding`]) expect((await read("branding", id)).id).toBe(id);
});
