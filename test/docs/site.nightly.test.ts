/** The documentation site, as `npm run docs` builds it. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
// @ts-expect-error a script without types
import { ensureChromium } from "../../tools/chromium.mjs";
import { root } from "../cli/esign";

test("the site is built, with each page and its search, and takes nothing from another host", () => {
  // A dead link fails the build.
  execFileSync(process.execPath, ["tools/docs.mjs"], { cwd: root, stdio: "pipe" });
  const site = join(root, "docs/.vitepress/dist");
  const files = (folder: string, end: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(end));
  const pages = files("docs", ".md").filter((name) => name !== "README.md");
  const built = files("docs/.vitepress/dist", ".html");
  expect(built).toEqual(expect.arrayContaining(pages.map((name) => name.replace(/md$/, "html"))));
  for (const name of built) {
    const html = readFileSync(join(site, name), "utf8");
    expect(html.match(/<(?:script|link|img)[^>]* (?:src|href)="https?:[^"]*"/g) ?? [], name).toEqual([]);
    expect(html, name).not.toContain("&lt;details");
  }
  const webhook = readFileSync(join(site, "reference/resources/webhook.html"), "utf8");
  const tabs = [...webhook.matchAll(/<label[^>]*>([^<]+)<\/label>/g)].map(([, title]) => title);
  expect(tabs).toEqual(["TypeScript", "Python", "Go", "C#", "Java", "YAML"]);
  for (const file of ["how-to/notification-vectors.json", "how-to/emulator/Dockerfile"])
    expect(existsSync(join(site, file)), file).toBe(true);
  expect(files("docs/.vitepress/dist", ".js").some((name) => name.includes("localSearchIndex"))).toBe(true);
});

test("a language that was chosen in one example is shown on every page", async () => {
  const site = join(root, "docs/.vitepress/dist");
  const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };
  const server = createServer(({ url = "/" }, response) => {
    const file = join(site, url.split("?")[0]!);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.setHeader("content-type", types[file.split(".").at(-1)!] ?? "text/plain").end(readFileSync(file));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox"] });
  onTestFinished(async () => {
    await browser.close();
    server.close();
  });
  const page = await browser.newPage({ baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const shown = async (path: string) => {
    await page.goto(path, { waitUntil: "networkidle" });
    return page.locator(".vp-code-group .blocks > .active").allInnerTexts();
  };
  expect((await shown("/reference/resources/webhook.html")).join()).toContain('from "pulumi-esign"');
  await page.locator(".vp-code-group label", { hasText: "Python" }).click();
  expect((await page.locator(".vp-code-group .blocks > .active").allInnerTexts()).join()).toContain(
    "import pulumi_esign",
  );
  // By a link, in the same page of the browser, and in a new one.
  await page.locator('.VPSidebar a[href$="/resources/company.html"]').click();
  const company = page.locator(".vp-code-group .blocks > .active");
  await expect.poll(async () => (await company.allInnerTexts()).join()).toContain("user_name=");
  expect((await shown("/reference/functions.html")).join()).toContain("import pulumi_esign");
});
