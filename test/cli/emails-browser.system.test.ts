/** The pages of `esign emails` in a real browser: what it shows, and what it must not do. */
import { spawn } from "node:child_process";
import { cpSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Frame, type Page, type Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { spread } from "../chance";
import { save, temporaryFolder } from "../files";
import { bareEnv, main, root } from "./esign";
import { esign } from "./in-process";

const home = temporaryFolder();
const at = (...path: string[]) => join(home, ...path);
const desktop = { width: 1440, height: 1000 };
let browser: Browser;
let page: Page;
/** Answers with a logo, and counts everything else that it is asked for. */
let outside: Server;
let asked: string[] = [];
const outsideUrl = (path: string) => `http://127.0.0.1:${(outside.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  cpSync(join(root, "test/fixtures/account"), at("account"), { recursive: true });
  const { ensureChromium } = (await import(pathToFileURL(join(root, "tools/chromium.mjs")).href)) as {
    ensureChromium: () => string;
  };
  browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: desktop });
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  outside = createServer((request, response) => {
    if (request.url === "/logo.png") response.end(png);
    else {
      asked.push(request.url!);
      response.end();
    }
  });
  await new Promise<void>((done) => outside.listen(0, "127.0.0.1", done));
});

afterAll(async () => {
  await browser?.close();
  await new Promise((done) => outside.close(done));
});

/** One page for all tests, since a new one takes as much as most of them; what an earlier test has opened is gone. */
afterEach(async () => {
  await page.evaluate("sessionStorage.clear()");
  await page.goto("about:blank");
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: null });
});

/** Opens it and writes down what it asks for, and what goes wrong. */
async function open(url: string) {
  const all: Request[] = [];
  // The browser reports requests that the page's own policy blocks, but does not send them.
  const requests = () =>
    all.filter((request) => request.failure()?.errorText !== "csp").map((request) => request.url());
  const errors: string[] = [];
  page.removeAllListeners();
  page.on("request", (request) => void (/^(data|about):/.test(request.url()) || all.push(request)));
  page.on("pageerror", (error) => void errors.push(error.message));
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { requests, errors };
}

async function render(folder: string, ...args: string[]): Promise<string> {
  const outcome = await esign(["emails", "render", folder, "--out", "emails.html", ...args], { home });
  expect(outcome).toMatchObject({ code: 0 });
  return pathToFileURL(at("emails.html")).href;
}

/** The frame of an email that is shown now, scrolled into view: frames load when they are needed. */
async function frameOf(page: Page, type: string, kind = "light"): Promise<Frame> {
  const element = page.locator(`#${type} iframe.${kind}`).last();
  await element.scrollIntoViewIfNeeded();
  const frame = await (await element.elementHandle())!.contentFrame();
  await frame!.waitForLoadState();
  await frame!.waitForFunction("document.body !== null && document.body.childNodes.length > 0");
  return frame!;
}

/** A function of the page's own world: this program's types know no documents. */
const inPage = (expression: string) => new Function("element", `return ${expression}`) as (element: unknown) => unknown;

const noOverflow = (page: Page) =>
  page.evaluate<boolean>("document.documentElement.scrollWidth <= document.documentElement.clientWidth");

describe("the page of esign emails render", () => {
  it("shows the emails in both widths and both schemes, without any request, keeps the choices when it is loaded again, and works without scripts", async () => {
    const url = await render("account", "--no-logo", "--value", "stage=dev");
    const withoutLogo = readFileSync(at("emails.html"), "utf8").replace(/<div class="logo"><img[^>]*>/, "");
    writeFileSync(at("emails.html"), withoutLogo);
    const { requests, errors } = await open(url);
    expect(await page.locator("article").count()).toBe(8);

    const light = await frameOf(page, "email-send");
    expect(await light.locator("h1").innerText()).toBe("Please sign “Tenancy agreement, 12 Quay Street”");
    const box = (type: string, kind: string) => page.locator(`#${type} iframe.${kind}`).last().boundingBox();
    expect((await box("email-send", "light"))!.width).toBeGreaterThan(600);
    const background = (frame: Frame) =>
      frame.locator(".sheet").evaluate(inPage("getComputedStyle(element).backgroundColor"));
    expect(await background(light)).toBe("rgb(255, 255, 255)");

    // As high as the email: nothing to scroll inside of the frame.
    const fits = () => light.evaluate<number>("document.documentElement.scrollHeight - window.innerHeight");
    await expect.poll(fits).toBe(0);

    await page.click("label[for=width-phone]");
    await expect.poll(async () => (await box("email-send", "light"))!.width).toBe(375);
    await expect.poll(fits).toBeLessThanOrEqual(0);
    expect(await light.locator(".button").evaluate(inPage("getComputedStyle(element).display"))).toBe("block");

    await page.click("label[for=scheme-dark]");
    expect(await background(await frameOf(page, "email-send", "dark"))).toBe("rgb(26, 38, 43)");
    const inverted = await frameOf(page, "email-rejected", "dark");
    expect(await inverted.evaluate<string>("getComputedStyle(document.documentElement).filter")).toContain("invert");
    expect(await inverted.locator("h1").evaluate(inPage("getComputedStyle(element).direction"))).toBe("rtl");

    expect(requests()).toEqual([url]);
    await page.reload();
    expect(await page.isChecked("#width-phone")).toBe(true);
    expect(await page.isChecked("#scheme-dark")).toBe(true);
    expect(errors).toEqual([]);
    const bare = await browser.newPage({ javaScriptEnabled: false });
    await bare.goto(url);
    await bare.click("label[for=scheme-dark]");
    expect(await bare.locator("#email-send iframe.dark").isVisible()).toBe(true);
    expect(await bare.locator("#email-send iframe.light").isVisible()).toBe(false);
    await bare.close();
  });

  it("fits windows of every width, light and dark", async () => {
    cpSync(at("account"), at("before"), { recursive: true });
    save(home, { "before/emails/email-send/body.html": `<p>${"unbroken".repeat(80)}</p>` });
    await open(await render("account", "--no-logo", "--baseline", "before"));
    const windows = [
      [1440, "light"],
      [390, "light"],
      [390, "dark"],
      [1440, "dark"],
    ] as const;
    for (const [width, colorScheme] of spread(windows, 2)) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const choice of ["width-desktop", "width-phone", "view-result", "scheme-light", "scheme-dark"]) {
        await page.click(`label[for=${choice}]`);
        expect(await noOverflow(page), `${width} ${colorScheme} ${choice}`).toBe(true);
      }
      await page.click("label[for=view-compare]");
      expect(await page.locator("#email-send .changes").isVisible()).toBe(true);
      expect(await page.locator("#email-signed .changes").count()).toBe(0);
    }
  });

  it("lets a hostile email do nothing", async () => {
    const u = (path: string) => outsideUrl(path);
    save(at("hostile/emails/email-send"), {
      "body.html": `<meta http-equiv="refresh" content="0;url=${u("/refresh")}"><base href="${u("/base/")}">
<link rel="stylesheet" href="${u("/link.css")}"><link rel="prefetch" href="${u("/prefetch")}">
<style>@import url("${u("/import.css")}"); @font-face { font-family: f; src: url(${u("/font")}) } p { background: url(${u("/css.png")}); font-family: f }</style>
<script>parent.evil = top.evil = 1; alert(1); fetch("${u("/fetch")}")</script>
<img src="${u("/img.png")}" onerror="parent.evil = 2"><img src=x onerror="parent.evil = 3"><img srcset="${u("/srcset.png")} 2x">
<svg onload="parent.evil = 4"><script>parent.evil = 5</script><image href="${u("/svg.png")}"/></svg>
<iframe src="${u("/iframe")}"></iframe><object data="${u("/object")}"></object><embed src="${u("/embed")}">
<video src="${u("/video")}" poster="${u("/poster")}" autoplay></video><audio src="${u("/audio")}" autoplay></audio>
<form action="${u("/form")}"><input autofocus onfocus="parent.evil = 6" name="a"><button id="submit">send</button></form>
<p style="background-image:url(${u("/style.png")})" background="${u("/background.png")}">text</p><table background="${u("/table.png")}"><tr><td>x</td></tr></table>
<a id="link" href="${u("/clicked")}" target="_top">link</a> <a id="script" href="javascript:parent.evil=7">script</a>
</style></title></textarea></script></iframe>"><img src=x onerror=top.evil=8><p>end</p>`,
      "subject.txt": `"><img src=x onerror=evil=9><script>evil=10</script>`,
    });
    asked = [];
    const url = await render("hostile", "--no-logo");
    const { requests, errors } = await open(url);
    const frame = await frameOf(page, "email-send");
    expect(await frame.locator("p", { hasText: "end" }).count()).toBe(1);
    for (const id of ["#link", "#script", "#submit"]) await frame.locator(id).click({ force: true, timeout: 5000 });
    await page.click("label[for=scheme-dark]");
    await frameOf(page, "email-send", "dark");
    expect(await page.evaluate("window.evil")).toBeUndefined();
    expect(page.url()).toBe(url);
    expect(page.context().pages()).toHaveLength(1);
    expect(asked).toEqual([]);
    expect(requests()).toEqual([url]);
    expect(errors).toEqual([]);
  });

  it("holds the logo itself, in the branding and in the emails", async () => {
    const logo = outsideUrl("/logo.png");
    save(at("logo"), {
      "account.yaml": `branding:\n  logoUrl: ${logo}\n`,
      "emails/email-send/body.html": `<img alt="" src="${logo}">`,
    });
    const { requests } = await open(await render("logo"));
    const loaded = inPage("element.naturalWidth");
    expect(await page.locator(".brand img").evaluate(loaded)).toBe(1);
    expect(await (await frameOf(page, "email-send")).locator("img").evaluate(loaded)).toBe(1);
    expect(requests()).toHaveLength(1);
  });
});

it("the page of esign emails serve is for this machine only, loads again when a file changes, is added or is wrong, and says when it has ended", async () => {
  const subjectIs = (text: string) => save(at("served"), { "emails/email-send/subject.txt": `${text}\n` });
  subjectIs("first");
  const child = spawn(process.execPath, [main, "emails", "serve", ".", "--port", "0", "--no-logo"], {
    cwd: at("served"),
    env: bareEnv(home),
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = await new Promise<string>((done, fail) => {
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const [, found, folder] = /(http:\/\/\S+) shows (.*)\. Press/.exec(text) ?? [];
      if (found === undefined) return;
      expect(folder).toBe(realpathSync(at("served")));
      done(found);
    });
    child.once("exit", () => fail(new Error(text)));
  });
  expect(new URL(url).hostname).toBe("127.0.0.1");
  const status = (headers: Record<string, string>, path = "/") =>
    new Promise((done) => get(url + path.slice(1), { headers }, (answer) => done(answer.resume().statusCode)));
  expect(await status({})).toBe(200);
  expect(await status({ host: "evil.example" })).toBe(403);
  expect(await status({}, "/account.yaml")).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(405);

  const { errors } = await open(url);
  const subject = page.locator("#email-send .subject");
  expect(await subject.innerText()).toBe("first");
  await page.waitForLoadState("networkidle").catch(() => undefined);
  subjectIs("second");
  await expect.poll(() => subject.innerText()).toBe("second");
  save(at("served"), { "emails/email-signed/body.html": "<p>{clent name}</p>" });
  await expect.poll(() => page.locator("#email-signed .findings").count()).toBe(1);
  expect(errors).toEqual([]);
  child.kill("SIGINT");
  await new Promise((done) => child.once("exit", done));
  expect(child.exitCode).toBe(0);
  await expect.poll(() => page.locator("body[data-offline]").count()).toBe(1);
});
