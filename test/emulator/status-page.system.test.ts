import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { serve } from "../sdk/server";
import { ask, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const root = resolve(__dirname, "../..");
const service = useEmulator({ processingTime: 0 });
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  const executablePath = execFileSync(process.execPath, [join(root, "tools/chromium.mjs")], {
    encoding: "utf8",
  }).trim();
  // Chromium's own sandbox cannot be had by root in a container.
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  page = await browser.newPage({ viewport: { width: 1440, height: 1100 } });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
});
beforeEach(async () => {
  // It would look for what is reset.
  await page.goto("about:blank");
  await service.reset();
  complaints = [];
});
afterAll(() => browser?.close());

const nasty = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

const call = ask(service);

async function fill(): Promise<string> {
  const form = { company_name: "Bäckerei Öhm", user_name: "Ole Öhm", user_email: "ole@oehm.example" };
  const { api_key } = (await call("POST", "/v1/companies", form)).body;
  const sub = ask(service, api_key);
  await sub("PUT", "/v1/branding", { branding_colour: "#b3541e", branding_logo_url: "https://oehm.example/logo.png" });
  await sub("PUT", "/v1/branding/emails/email-send", {
    branding_email_subject: "Bitte unterschreiben: {contract title}",
  });
  for (const webhook_type of ["signed-envelope-complete", "cancelled-envelope", "alle"]) {
    const webhook_url = `https://crm.example/hooks/${webhook_type}?a=1&b=2`;
    await call("POST", "/v1/webhooks", { webhook_type, webhook_url });
  }
  await ask(service, "wrong")("GET", "/v1/branding");
  const envelope_parties = [
    { party_name: "Ann Other", party_email: "ann@b.example", party_role: "signer1", party_message: "As agreed." },
    { party_name: "Bo Last", party_email: "bo@b.example", party_role: "signer2" },
  ];
  const envelope = (envelope_title: string) =>
    call("POST", "/v1/envelopes", envelopeForm({ envelope_title, envelope_parties }));
  await envelope("Rental agreement");
  const { envelope_fingerprint } = (await envelope(`NDA ${nasty}`)).body;
  await service.performAction(envelope_fingerprint, "sign");
  return envelope_fingerprint;
}

test("the page shows accounts, objects, requests and sent emails, without a complaint of the browser or a script from outside", async () => {
  await fill();
  await page.goto(service.url);
  // What comes from outside is text, in the page and in an email.
  expect(await page.getByText(nasty).count()).toBeGreaterThan(0);
  const letter = page.locator("#emails details").first();
  await letter.locator("summary").click();
  await expect.poll(() => letter.frameLocator("iframe").locator("body").innerText()).toContain(nasty);
  expect(await page.title()).toBe("esign emulator");
  for (const name of ["Northwind Partners", "Acme Contracts", "Bäckerei Öhm"]) {
    expect(await page.getByRole("heading", { name }).count()).toBe(1);
  }
  await page.getByText("Webhooks 2").click();
  await expect.poll(() => page.getByText("https://crm.example/hooks/cancelled-envelope?a=1&b=2").count()).toBe(1);
  expect(await page.locator("#requests").innerText()).toMatch(/POST \/v1\/webhooks\s+400 10302/);
  expect(await page.locator("#requests").innerText()).toMatch(/GET \/v1\/branding\s+401 10002\s+unknown key/);
  expect(await page.locator("#emails summary").count()).toBe(3);
  const card = page.locator("section.card", { hasText: "Bäckerei Öhm" });
  expect(await card.locator("rect").getAttribute("fill")).toBe("#B3541E");
  await card.getByText("Email templates").click();
  expect(await card.getByText("customized").count()).toBe(1);
  expect(
    await page
      .locator("img")
      .evaluateAll((all) => all.every((img) => (img as { naturalWidth?: number }).naturalWidth === 160)),
  ).toBe(true);
  const folder = process.env.ESIGN_SCREENSHOTS;
  if (folder) {
    mkdirSync(folder, { recursive: true });
    await page.locator("#emails iframe").first().scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, "status-page.png"), fullPage: true });
    await page.setViewportSize({ width: 420, height: 800 });
    await page.screenshot({ path: join(folder, "status-page-narrow.png") });
  }
  expect(complaints).toEqual([]);
});

test("envelopes can be signed from the page and their emails, the clock turned and faults switched off", async () => {
  const fingerprint = await fill();
  service.configure({ faults: [{ kind: "status", status: 503 }] });
  const status = async () => service.data().accounts[0]!.envelopes.find((e) => e.fingerprint === fingerprint)!.status;
  // A person, on the page that the email leads to.
  const letter = service.sentEmails().find(({ subject }) => subject.includes("Rental"))!;
  await page.goto(`${service.url}/_control/emails/${letter.id}`);
  await page.goto((await page.getByRole("link", { name: "Read and sign" }).getAttribute("href"))!);
  expect(await page.getByText("As agreed.").count()).toBe(1);
  await page.getByRole("button", { name: "Sign" }).click();
  await page.waitForURL(`${service.url}/signed`);
  expect(service.data().accounts[0]!.envelopes[0]!.parties[0]!.status).toBe("signed");
  await page.goto(service.url);
  await page.getByRole("row", { name: "NDA" }).getByRole("button", { name: "Sign" }).click();
  await expect.poll(status).toBe("signed");
  await page.getByRole("button", { name: "Remove all" }).click();
  await expect.poll(() => service.settings.faults.length).toBe(0);
  const before = service.now.getTime();
  await page.getByRole("button", { name: "+13 h" }).click();
  await expect.poll(() => service.now.getTime() - before).toBeGreaterThan(13 * 3600_000 - 1);
  expect(complaints).toEqual([]);
});

test("notifications are listed with what was sent, sent again, and sent for a test; keys are shown when they are asked for", async () => {
  const { url } = await serve((_, index) => ({ status: index === 0 ? 500 : 200 }));
  service.configure({ edition: "current", notifications: { signed: true, retries: 0 } });
  await page.goto(service.url);
  expect(await page.content()).not.toContain(service.keys.partner);
  await page.getByRole("button", { name: "show key" }).first().click();
  await expect.poll(() => page.getByText(service.keys.partner).count()).toBe(1);
  // The page follows what happens; what was opened stays open.
  await page.getByText("Webhooks 0").first().click();
  const form = { webhook_type: "all", webhook_url: url };
  const { webhook_secret } = (await call("POST", "/v1/webhooks", form)).body;
  await expect.poll(() => page.getByText(url).isVisible()).toBe(true);
  await page.getByText("Send a test event").click();
  const events = page.locator(".buttons button");
  expect(await events.count()).toBe(18);
  await events.getByText("bounced-envelope").click();
  const rows = page.locator("#deliveries > details");
  await expect.poll(() => rows.first().innerText()).toMatch(/bounced-envelope\s+failed\s+500/);
  expect(await page.getByText("failing", { exact: true }).count()).toBe(1);
  await rows.first().getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => rows.first().innerText()).toMatch(/delivered\s+200/);
  expect(await rows.count()).toBe(2);
  await rows.first().getByText("bounced-envelope").first().click();
  await expect.poll(() => rows.first().innerText()).toContain("envelope_bounce_reason: 550");
  expect(await rows.first().innerText()).toContain("Form fields, signed");
  expect(await page.content()).not.toContain(webhook_secret);
  if (process.env.ESIGN_SCREENSHOTS) {
    await page.screenshot({ path: join(process.env.ESIGN_SCREENSHOTS, "notifications.png") });
  }
  expect(complaints).toEqual([]);
});

test("the page may load nothing from elsewhere and stand in no frame", async () => {
  const response = await fetch(service.url);
  const policy = response.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(await response.text()).not.toMatch(/(src|href)="https?:/);
});
