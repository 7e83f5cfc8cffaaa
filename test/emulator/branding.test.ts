import { request } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { ask, basic } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ clock: () => now, allowHosts: ["esign"] });
let now = Date.UTC(2025, 5, 1, 12);
beforeEach(() => service.reset());

const formType = { "content-type": "application/x-www-form-urlencoded" };
const types = [
  "email-cancelled",
  "email-rejected",
  "email-reminder",
  "email-reminder-password",
  "email-send",
  "email-signed",
  "email-widget-verify",
];

test("branding is read with exactly the members of the specification", async () => {
  const { status, body } = await ask(service)("GET", "/v1/branding");
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(["branding_colour", "branding_logo", "http"]);
  expect(body.http).toBe(200);
});

test("what stands between curly brackets in the standard e-mails is one of the specification's variables", async () => {
  const { branding_emails } = (await ask(service)("GET", "/v1/branding/emails")).body;
  const texts = branding_emails.map((email: Record<string, string>) => Object.values(email).join("\n")).join("\n");
  const names = [...new Set([...texts.matchAll(/\{([^{}]*)\}/g)].map((m: RegExpMatchArray) => m[1]))];
  expect(names.sort()).toEqual([
    "acknowledge url",
    "client name",
    "company name",
    "contract intro",
    "contract password",
    "contract title",
    "contract url",
    "user name",
    "widget verify url",
  ]);
});

test("a colour comes back in upper case", async () => {
  const { body } = await ask(service)("PUT", "/v1/branding", { branding_colour: "#558caa" });
  expect(body).toMatchObject({ http: 200, message: expect.any(String), branding_colour: "#558CAA" });
  expect((await ask(service)("GET", "/v1/branding")).body.branding_colour).toBe("#558CAA");
});

test("a logo is hosted under an own address with a time in the query, which leads to a picture", async () => {
  const { body } = await ask(service)("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/our/logo.JPG" });
  const logo = new URL(body.branding_logo);
  expect(logo.origin).toBe(service.url);
  expect(logo.search).toBe(`?${now / 1000}`);
  const picture = await fetch(logo);
  expect(picture.headers.get("content-type")).toBe("image/png");
  expect(
    Buffer.from(await picture.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
});

test("the same logo at another time differs in the query only; another logo in the path", async () => {
  const put = async (url: string) =>
    new URL((await ask(service)("PUT", "/v1/branding", { branding_logo_url: url })).body.branding_logo);
  const first = await put("https://cdn.example/a.png");
  now += 60_000;
  const again = await put("https://cdn.example/a.png");
  const other = await put("https://cdn.example/b.png");
  expect(again.pathname).toBe(first.pathname);
  expect(again.search).not.toBe(first.search);
  expect(other.pathname).not.toBe(first.pathname);
});

test("a logo's address may end in anything that is no other kind of file", async () => {
  for (const branding_logo_url of ["https://logos.example/acme.com?size=200", "https://cdn.example/logo.php"])
    expect((await ask(service)("PUT", "/v1/branding", { branding_logo_url })).body.branding_logo).toContain("/logos/");
});

test("an address that the service hosts itself is kept as it is, so restoring gives what was there", async () => {
  const call = ask(service);
  const before = (await call("GET", "/v1/branding")).body;
  await call("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/a.png", branding_colour: "#000000" });
  now += 60_000;
  await call("PUT", "/v1/branding", {
    branding_logo_url: before.branding_logo,
    branding_colour: before.branding_colour,
  });
  expect((await call("GET", "/v1/branding")).body).toEqual(before);
});

test("an address under the name that the client calls the service by is its own, too", async () => {
  const put = (form?: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const headers = { authorization: basic(service.keys.partner), host: "esign:4010", ...formType };
      request(`${service.url}/v1/branding`, { method: form ? "PUT" : "GET", headers }, async (answer) => {
        resolve(JSON.parse((await answer.toArray()).join("")).branding_logo);
      })
        .on("error", reject)
        .end(form && new URLSearchParams(form).toString());
    });
  const logo = await put();
  expect(logo).toMatch(/^http:\/\/esign:4010\/logos\/standard/);
  expect(await put({ branding_logo_url: logo })).toBe(logo);
  expect(await put({ branding_logo_url: logo.replace("esign", "other") })).not.toBe(logo);
});

test("a logo without extension is accepted", async () => {
  expect((await ask(service)("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/logo" })).status).toBe(
    200,
  );
});

test("all seven e-mails are read, each with the members of the specification", async () => {
  const { body } = await ask(service)("GET", "/v1/branding/emails");
  expect(body.branding_emails.map((e: { branding_email_type: string }) => e.branding_email_type)).toEqual(types);
  for (const email of body.branding_emails) {
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
});

test.each(types)("the standard text of %s keeps its own required variables", async (type) => {
  const call = ask(service);
  const { body } = await call("GET", "/v1/branding/emails");
  const email = body.branding_emails.find((e: { branding_email_type: string }) => e.branding_email_type === type);
  const { branding_email_subject, branding_email_content, branding_email_content_plain } = email;
  const form = { branding_email_subject, branding_email_content, branding_email_content_plain };
  const updated = await call("PUT", `/v1/branding/emails/${type}`, form);
  expect(updated.body).toEqual({ http: 200, message: expect.any(String), ...email });
});

test("only the fields that are sent change, and the time changes only when a text does", async () => {
  const call = ask(service);
  const path = "/v1/branding/emails/email-send";
  const before = (await call("GET", "/v1/branding/emails")).body.branding_emails[4];
  now += 3600_000;
  const same = await call("PUT", path, { branding_email_subject: before.branding_email_subject });
  expect(same.body.branding_email_updated).toBe(before.branding_email_updated);
  const changed = await call("PUT", path, { branding_email_subject: "Please sign {contract title} – now" });
  expect(changed.body).toEqual({
    http: 200,
    message: expect.any(String),
    ...before,
    branding_email_subject: "Please sign {contract title} – now",
    branding_email_updated: `${new Date(now).toISOString().slice(0, 19)}+0000`,
  });
});

test("an e-mail that is put back to its standard texts is as it was on the first day", async () => {
  const call = ask(service);
  const path = "/v1/branding/emails/email-send";
  const before = (await call("GET", "/v1/branding/emails")).body;
  const { accounts } = structuredClone(service.data());
  now += 3600_000;
  await call("PUT", path, { branding_email_subject: "Other {contract title}" });
  await call("PUT", path, { branding_email_subject: before.branding_emails[4].branding_email_subject });
  expect((await call("GET", "/v1/branding/emails")).body).toEqual(before);
  expect(service.data().accounts).toEqual(accounts);
});

test.each([
  ["crlf", "a {contract url}\nb\r\n", "a {contract url}\r\nb\r\n"],
  ["trimmed", " a {contract url}  \n\n", "a {contract url}"],
  ["exact", " a {contract url}  \r\n\n", " a {contract url}  \r\n\n"],
] as const)("bodies are stored %s", async (textStyle, sent, stored) => {
  service.configure({ textStyle });
  const { body } = await ask(service)("PUT", "/v1/branding/emails/email-send", { branding_email_content_plain: sent });
  expect(body.branding_email_content_plain).toBe(stored);
});

test.each([
  ["PUT", "/v1/branding", {}, 10555],
  ["PUT", "/v1/branding", { branding_logo_url: "" }, 10555],
  ["PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/logo.gif" }, 10559],
  ["PUT", "/v1/branding", { branding_logo_url: "logo.png" }, 10559],
  ["PUT", "/v1/branding", { branding_colour: "558caa" }, 10560],
  ["PUT", "/v1/branding", { branding_colour: "#55" }, 10560],
  ["POST", "/v1/branding", { branding_colour: "#558caa" }, 10551],
  ["DELETE", "/v1/branding", undefined, 10552],
  ["DELETE", "/v1/branding/emails/email-send", undefined, 10552],
  ["GET", "/v1/branding/emails/email-send", undefined, 10550],
  ["PUT", "/v1/branding/emails", { branding_email_subject: "x" }, 10553],
  ["PUT", "/v1/branding/emails/email-send", {}, 10554],
  ["PUT", "/v1/branding/emails/email-sent", { branding_email_subject: "x" }, 10556],
  ["PUT", "/v1/branding/emails/email-send", { branding_email_content: "<p>no link</p>" }, 10557],
  ["PUT", "/v1/branding/emails/email-send", { branding_email_content: "" }, 10557],
  ["PUT", "/v1/branding/emails/email-send", { branding_email_content_plain: "no link" }, 10558],
] as const)("%s %s %j is refused: %i", async (method, path, form, code) => {
  const before = service.data();
  const answer = await ask(service)(method, path, form as Record<string, string>);
  expect(answer).toMatchObject({ status: 400, body: { http: 400, code } });
  expect(service.data()).toEqual(before);
});

test("a form with one bad field changes nothing, whatever the other field says", async () => {
  const before = service.data();
  const form = { branding_logo_url: "https://cdn.example/logo.png", branding_colour: "red" };
  expect((await ask(service)("PUT", "/v1/branding", form)).body.code).toBe(10560);
  const second = { branding_logo_url: "https://cdn.example/logo.svg", branding_colour: "#112233" };
  expect((await ask(service)("PUT", "/v1/branding", second)).body.code).toBe(10559);
  expect(service.data()).toEqual(before);
});

test("which variables an e-mail must keep can be set", async () => {
  service.configure({ requiredVariables: { "email-send": ["contract url", "client name"] } });
  const form = { branding_email_content: "{contract url}" };
  const { body } = await ask(service)("PUT", "/v1/branding/emails/email-send", form);
  expect(body.code).toBe(10557);
  expect(body.message).not.toContain("client name");
  service.configure({ errorShape: "extended" });
  expect((await ask(service)("PUT", "/v1/branding/emails/email-send", form)).body).toMatchObject({
    company: expect.any(String),
    url: "/v1/branding/emails/email-send",
    detail: "missing: {client name}",
  });
});
