/** The documentation site, as `npm run docs` builds it. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/esign";

test("the site is built, with each page and its search, and takes nothing from another host", {
  timeout: 300_000,
}, () => {
  // A dead link fails the build.
  execFileSync(process.execPath, ["scripts/docs.mjs"], { cwd: root, stdio: "pipe" });
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
