/** Two stacks of one program differ in the values of their environments only. */
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isSameText } from "../../account-folder/diff/same-text";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";
import { type Owned, stateOf } from "./owned-worlds";

const home = temporaryFolder();
const env = { PULUMI_BACKEND_URL: `file://${join(home, "state")}`, PULUMI_CONFIG_PASSPHRASE: "correct-horse" };
const run = (...args: string[]) => esign(args, { home, env });

const resources = (portal: string, hooks: string, extra = ""): Owned[] => [
  {
    kind: "BrandingEmail",
    id: "email-send",
    fields: {
      subject: `Sign at ${portal}`,
      content: `<a href="${portal}/x?a&amp;b">Sign</a>${extra}`,
      contentPlain: "Hello",
    },
  },
  { kind: "Webhook", id: "7", fields: { type: "all", url: `${hooks}/all` } },
];
const importInto = (stack: string, owned: Owned[]) => {
  save(home, { "state.json": JSON.stringify(stateOf(stack, owned)) });
  return run("stack", "import", "--stack", stack, "--file", "state.json");
};
const production = ["https://portal.example", "https://hooks.example/in"] as const;

beforeAll(async () => {
  save(home, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
  for (const [stack, portal, hooks] of [
    ["staging", "https://p.staging.example", "https://staging.example/in"],
    ["production", ...production],
  ] as const) {
    const values = `config:\n  shop:values:\n    portal: ${portal}\n  shop:hooks: ${hooks}\n`;
    save(home, { [`Pulumi.${stack}.yaml`]: values });
    expect(await run("stack", "init", stack, "--engine", "embedded")).toMatchObject({ code: 0 });
    expect(await importInto(stack, resources(portal, hooks))).toMatchObject({ code: 0 });
  }
});

const difference = async () => run("diff", "--exit-code", "stack:staging", "stack:production");

test("what the stacks' configurations explain is no difference, and is listed", async () => {
  const { code, stdout, stderr } = await difference();
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("No differences.");
  expect(stdout).toContain("email template email-send, subject, HTML body (the same text with other values)");
  expect(stdout).toMatch(/webhook all https:\/\/staging.example\/in\/all, URL \(the same/);
});

test("another text is a difference", async () => {
  await importInto("production", resources(...production, "<p>New"));
  const { code, stdout } = await difference();
  expect(code).toBe(1);
  expect(stdout).toContain("email template email-send");
  expect(stdout).toContain("<p>New");
  expect(stdout).toContain("email template email-send, subject (the same text with other values)");
});

test("texts of two environments are the same with each environment's own values", () => {
  const same = (a: string, b: string, values: Record<string, [string, string]>, format: "text" | "html" = "text") => {
    const of = (i: 0 | 1) => Object.fromEntries(Object.entries(values).map(([name, pair]) => [name, pair[i]]));
    return isSameText({ text: a, values: of(0) }, { text: b, values: of(1) }, format);
  };
  const values = {
    url: ["https://a.example", "https://b.example/x"],
    name: ["A & Co", "B"],
    empty: ["", "y"],
  } as never;
  expect(same("https://a.example/1 A & Co", "https://b.example/x/1 B", values)).toBe(true);
  expect(same("<b>A &amp; Co</b>", "<b>B</b>", values, "html")).toBe(true);
  expect(same("https://b.example/x", "https://a.example", values)).toBe(false);
  expect(same("https://a.example/1", "https://b.example/x/2", values)).toBe(false);
  expect(same("A & Co", "A", values)).toBe(false);
  expect(same("", "y", values)).toBe(false);
  // Of two names with one value here, the one that fits there.
  expect(same("u u", "v w", { one: ["u", "v"], two: ["u", "w"] })).toBe(true);
});
