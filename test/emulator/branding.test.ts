import { beforeEach, expect, test } from "vitest";
import { brandingEmailTypes, brandingEmailVariables } from "../fixtures/specification";
import { ask, askWithNode, type Body, basic } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ clock: () => now, allowHosts: ["esign"] });
let now = Date.UTC(2025, 5, 1, 12);
beforeEach(() => service.reset());

const call = ask(service);
const path = "/v1/branding/emails/email-send";
const read = async (): Promise<Body> => (await call("GET", "/v1/branding")).body;
const emails = async (): Promise<Body[]> => (await call("GET", "/v1/branding/emails")).body.branding_emails;
const logoAt = async (url: string) =>
  new URL((await call("PUT", "/v1/branding", { branding_logo_url: url })).body.branding_logo);

test("a colour comes back in upper case; branding has exactly the members of the specification", async () => {
  const { body } = await call("PUT", "/v1/branding", { branding_colour: "#558caa" });
  expect(body).toMatchObject({ http: 200, message: expect.any(String), branding_colour: "#558CAA" });
  expect(await read()).toEqual({ http: 200, branding_colour: "#558CAA", branding_logo: expect.any(String) });
});

test("a logo is hosted under an own address with a time in the query, which leads to a picture", async () => {
  const first = await logoAt("https://cdn.example/our/logo.JPG");
  expect(first.origin).toBe(service.url);
  expect(first.search).toBe(`?${now / 1000}`);
  const picture = await fetch(first);
  expect(picture.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await picture.arrayBuffer()).toString("latin1", 1, 4)).toBe("PNG");
  // At another time it differs in the query only; another logo in the path.
  now += 60_000;
  const again = await logoAt("https://cdn.example/our/logo.JPG");
  expect(again.pathname).toBe(first.pathname);
  expect(again.search).not.toBe(first.search);
  expect((await logoAt("https://cdn.example/b.png")).pathname).not.toBe(first.pathname);
});

test("an address that the service hosts itself is kept unchanged, so restoring gives the original value", async () => {
  const before = await read();
  await call("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/a.png", branding_colour: "#000000" });
  now += 60_000;
  const { branding_logo: branding_logo_url, branding_colour } = before;
  await call("PUT", "/v1/branding", { branding_logo_url, branding_colour });
  expect(await read()).toEqual(before);
});

test("with the setting, each read gives a logo another address, which leads to the same picture and restores it", async () => {
  const bytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString("hex");
  const stable = await read();
  service.configure({ logoAddress: "fresh" });
  const set = await logoAt("https://cdn.example/a.png");
  const [first, second] = [(await read()).branding_logo, (await read()).branding_logo];
  expect(new Set([set.href, first, second, stable.branding_logo]).size).toBe(4);
  expect(await bytes(first)).toBe(await bytes(set.href));
  expect(await bytes(first)).not.toBe(await bytes(stable.branding_logo));
  await logoAt(stable.branding_logo);
  await logoAt(first);
  service.configure({ logoAddress: "stable" });
  expect((await read()).branding_logo).toContain("/logos/");
  expect(await bytes((await read()).branding_logo)).toBe(await bytes(first));
});

test.each(["/images/", "/images/x", "/images/%00", `/images/${"A".repeat(5000)}`])("%s is no logo", async (path) => {
  expect((await fetch(service.url + path)).status).toBe(404);
  const logo = await logoAt(`https://cdn.example${path}`);
  expect(logo.pathname).toMatch(/^\/logos\/\d+-[0-9a-f]{12}\.png$/);
});

test("an address under the name that the client calls the service by is its own, too", async () => {
  const headers = {
    authorization: basic(service.keys.partner),
    host: "esign:4010",
    "content-type": "application/x-www-form-urlencoded",
  };
  const put = async (form?: Record<string, string>): Promise<string> => {
    const options = { method: form ? "PUT" : "GET", headers };
    const body = form && new URLSearchParams(form).toString();
    return (await askWithNode(`${service.url}/v1/branding`, options, body)).body.branding_logo;
  };
  const logo = await put();
  expect(logo).toMatch(/^http:\/\/esign:4010\/logos\/standard/);
  expect(await put({ branding_logo_url: logo })).toBe(logo);
  expect(await put({ branding_logo_url: logo.replace("esign", "other") })).not.toBe(logo);
});

test("the standard emails: types, members, and the specification's variables between curly brackets", async () => {
  const all = await emails();
  expect(all.map((email) => email.branding_email_type)).toEqual(brandingEmailTypes);
  for (const email of all) {
    expect(Object.keys(email)).toEqual([
      "branding_email_type",
      "branding_email_subject",
      "branding_email_content",
      "branding_email_content_plain",
      "branding_email_updated",
    ]);
    expect(email.branding_email_content).toMatch(/<html>/);
    expect(email.branding_email_updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
  }
  const variables = all.flatMap((email) =>
    Object.values(email)
      .join("\n")
      .match(/\{[^{}]*\}/g),
  );
  expect([...new Set(variables)].sort()).toEqual([...brandingEmailVariables].sort());
});

test.each(brandingEmailTypes)("the standard text of %s keeps its own required variables", async (type) => {
  const email = (await emails()).find((one) => one.branding_email_type === type);
  const { branding_email_type: _, branding_email_updated: __, ...form } = email;
  const updated = await call("PUT", `/v1/branding/emails/${type}`, form);
  expect(updated.body).toEqual({ http: 200, message: expect.any(String), ...email });
});

test("only the fields that are sent change, and the time changes only when a text does; the standard has the first time", async () => {
  const before = await emails();
  const { accounts } = structuredClone(service.data());
  const [email] = before.slice(4);
  now += 3600_000;
  const original = { branding_email_subject: email.branding_email_subject };
  const same = await call("PUT", path, original);
  expect(same.body.branding_email_updated).toBe(email.branding_email_updated);
  const form = { branding_email_subject: "Please sign {contract title} – now" };
  expect((await call("PUT", path, form)).body).toEqual({
    http: 200,
    message: expect.any(String),
    ...email,
    ...form,
    branding_email_updated: `${new Date(now).toISOString().slice(0, 19)}+0000`,
  });
  await call("PUT", path, original);
  expect(await emails()).toEqual(before);
  expect(service.data().accounts).toEqual(accounts);
});

test.each([
  ["crlf", "a {contract url}\nb\r\n", "a {contract url}\r\nb\r\n"],
  ["trimmed", " a {contract url}  \n\n", "a {contract url}"],
  ["exact", " a {contract url}  \r\n\n", " a {contract url}  \r\n\n"],
] as const)("bodies are stored %s", async (textStyle, sent, stored) => {
  service.configure({ textStyle });
  const { body } = await call("PUT", path, { branding_email_content_plain: sent });
  expect(body.branding_email_content_plain).toBe(stored);
});

test.each([
  ["PUT", "/v1/branding", {}, 10555],
  ["PUT", "/v1/branding", { branding_logo_url: "" }, 10555],
  ["PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/logo.gif" }, 10559],
  ["PUT", "/v1/branding", { branding_logo_url: "logo.png" }, 10559],
  ["PUT", "/v1/branding", { branding_colour: "558caa" }, 10560],
  ["PUT", "/v1/branding", { branding_colour: "#55" }, 10560],
  // A form with one bad field changes nothing, whatever the other field says.
  ["PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/logo.png", branding_colour: "red" }, 10560],
  ["PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/logo.svg", branding_colour: "#112233" }, 10559],
  ["POST", "/v1/branding", { branding_colour: "#558caa" }, 10551],
  ["DELETE", "/v1/branding", undefined, 10552],
  ["DELETE", path, undefined, 10552],
  ["GET", path, undefined, 10550],
  ["PUT", "/v1/branding/emails", { branding_email_subject: "x" }, 10553],
  ["PUT", path, {}, 10554],
  ["PUT", "/v1/branding/emails/email-sent", { branding_email_subject: "x" }, 10556],
  ["PUT", path, { branding_email_content: "<p>no link</p>" }, 10557],
  ["PUT", path, { branding_email_content: "" }, 10557],
  ["PUT", path, { branding_email_content_plain: "no link" }, 10558],
] as const)("%s %s %j is refused: %i", async (method, path, form, code) => {
  const before = service.data();
  expect(await call(method, path, form)).toMatchObject({ status: 400, body: { http: 400, code } });
  expect(service.data()).toEqual(before);
});

test("which variables an email must keep can be set", async () => {
  service.configure({ requiredVariables: { "email-send": ["contract url", "client name"] } });
  const form = { branding_email_content: "{contract url}" };
  const { body } = await call("PUT", path, form);
  expect(body.code).toBe(10557);
  expect(body.message).not.toContain("client name");
  service.configure({ errorShape: "extended" });
  const extended = { company: expect.any(String), url: path, detail: "missing: {client name}" };
  expect((await call("PUT", path, form)).body).toMatchObject(extended);
});
