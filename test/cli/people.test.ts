/** Users, contacts, templates and settings on the command line. */
import { expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { esign } from "./in-process";

const folder = temporaryFolder();
const contacts = [{ name: "Carla", email: "carla@client.example" }];
const service = useEmulator({ seed: { account: { contacts, settings: { setting_brand_new: 7 } } } });

const run = (...args: string[]) =>
  esign(args, { home: folder, env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account } });

test("the lists are tables without what fits in no column", async () => {
  const { stdout } = await run("templates", "list");
  expect(stdout).toContain("template-agreement");
  expect(stdout).not.toMatch(/PARTIES$|iframe|THUMBNAILS/m);
  expect((await run("contacts", "list")).stdout).toContain("carla@client.example");
  const { stdout: json } = await run("templates", "list", "--json");
  expect(JSON.parse(json)[0].template_parties).toHaveLength(2);
});

test("users are added, changed and removed", async () => {
  const options = ["--name", "Bo", "--email", "bo@acme.example", "--role-id", "2"];
  const created = await run("users", "create", ...options, "--json");
  const { user_id: id } = JSON.parse(created.stdout);
  const alone = await run("users", "update", id, "--role-id", "1");
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringContaining("needs --name or --email, also where only --role-id changes"),
  ]);
  const update = await run("users", "update", id, "--name", "Bo", "--role-id", "1");
  expect(update.stdout).toBe(`Updated ${id}: name, role-id\n`);
  expect((await run("users", "get", id)).stdout).toMatch(/role_id +1/);
  expect((await run("users", "delete", id, "--yes")).code).toBe(0);
  const refused = await run("users", "create", "--name", "Bo", "--email", "bo@acme.example", "--role-id", "admin");
  expect(refused.stderr).toContain("--role-id must be one of 1, 2, 3");
});

test("a contact's envelopes are a list within it", async () => {
  const { id } = service.data().accounts.at(-1)!.contacts[0]!;
  expect(await run("contacts", "envelopes", id)).toMatchObject({ code: 0, stderr: "There are no envelopes.\n" });
});

test("settings, and those that this version does not know", async () => {
  const update = ["settings", "update", "--email-pdf-attach", "false"];
  const { code, stderr } = await run(...update, "--set", "setting_brand_new=8");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((await run("settings", "get")).stdout).toMatch(/setting_email_pdf_attach +false[\s\S]*setting_brand_new +8/);
  expect(await run(...update, "--set", "brand_new=8")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("brand_new is not a field of this call"),
  });
  expect((await run(...update, "--set", "nothing")).stderr).toContain("--set needs <name>=<value>");
});

test("an account without them is reported, with what to do", async () => {
  service.configure({ missing: ["users"] });
  const { code, stderr } = await run("users", "list");
  expect(code).toBe(1);
  expect(stderr).toContain("this account's interface has no users");
  expect(stderr).toContain("Manage users in the web app");
});
