/** Two identical webhooks: a program declares only one of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { accountKinds } from "../../definitions/index";
import { connect } from "../../sdk";
import { api } from "../../sdk/api";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const service = useEmulator({
  seed: {
    account: {
      emails: {},
      webhooks: [
        { type: "all", url: "https://a.example/in" },
        { type: "all", url: "https://A.example/in" },
      ],
    },
  },
});
let env: Record<string, string>;
beforeAll(async () => {
  env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
});
const here = (...args: string[]) => esign(args, { home, env });

test("the second one is never promised to code, and what ends it is named", async () => {
  save(home, { "account/account.yaml": "" });
  const unmanaged = ["drift", "unmanaged", "--managed-by", "./account"];
  const first = await here(...unmanaged, "--out", "./account");
  const note =
    /^note: webhook all https:\/\/a.example\/in \(id (\d+)\) is identical to id (\d+), .*Delete the other: esign webhooks delete (\d+)\n$/;
  expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(note) });
  const [, id, other, deleted] = note.exec(first.stderr)!;
  expect([id, other]).not.toContain(undefined);
  expect(deleted).toBe(id);
  const yaml = readFileSync(join(home, "account/account.yaml"), "utf8");
  expect(yaml.match(/type: all/g)).toHaveLength(1);

  const second = await here(...unmanaged, "--out", "./account");
  expect(second.stdout).toContain("1 unmanaged resource in account.\nNothing to write.\n");
  expect(second.stderr).toBe(first.stderr);
  const list = await here(...unmanaged);
  expect(list.stdout).not.toContain("To add it to code");
  expect(list.stderr).toBe(first.stderr);
  expect(readFileSync(join(home, "account/account.yaml"), "utf8")).toBe(yaml);

  expect((await here("webhooks", "delete", id!, "--yes")).code).toBe(0);
  expect(await here(...unmanaged, "--exit-code")).toMatchObject({ code: 0, stderr: "" });
});

test("of two that are in a subaccount, too", async () => {
  const partner = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  const { company_id } = await partner.companies.create({
    company_name: "Acme",
    user_name: "A",
    user_email: "a@a.example",
  });
  for (let i = 0; i < 2; i++)
    await partner.as(company_id).webhooks.create({ webhook_type: "all", webhook_url: "https://b.example/" });
  save(home, { "none/companies/acme/company.yaml": "name: Acme\nuserName: A\nuserEmail: a@a.example\n" });
  const { stderr } = await esign(["drift", "unmanaged", "--managed-by", "./none"], {
    home,
    env: { ...env, ESIGN_API_KEY: service.keys.partner },
  });
  expect(stderr).toMatch(new RegExp(`Delete the other: esign webhooks delete \\d+ --company ${company_id}\\n$`));
});

test.each(accountKinds.filter(({ isCreatable }) => isCreatable).map(({ kind, nouns }) => [kind, nouns[1]]))(
  "a duplicate %s is deleted by a command of its kind, which exists: %s delete",
  (_, group) => {
    expect(Object.keys(api[group as keyof typeof api])).toContain("delete");
  },
);
