/** The documentation site: `npm run docs`. Its pages are the Markdown files of docs/, which GitHub shows as well. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { linksToFiles, withoutComments, withTabs } from "./markdown.mjs";
import { sidebar } from "./sidebar.mjs";

const docs = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(docs, "../package.json"), "utf8"));
const repository = manifest.repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");

export default defineConfig({
  title: manifest.name,
  description: manifest.description,
  lang: "en-GB",
  // A file without an ending that is copied, see below: it is taken for a page.
  ignoreDeadLinks: [/\/Dockerfile$/],
  rewrites: { "README.md": "index.md" },
  // Nothing comes from another host: the site works without a network.
  head: [["link", { rel: "icon", href: "data:," }]],
  themeConfig: {
    search: { provider: "local" },
    sidebar: sidebar(docs),
    outline: [2, 3],
    ...(repository && { socialLinks: [{ icon: "github", link: repository }] }),
  },
  markdown: {
    // What looks like a tag in a page is text: `<urn>`.
    html: false,
    linkify: false,
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    config: (md) => md.use(withTabs).use(withoutComments).use(linksToFiles(docs, repository)),
  },
  /** Pages link to files beside them as well, such as a workflow to copy. */
  buildEnd({ outDir }) {
    for (const name of readdirSync(docs, { recursive: true, encoding: "utf8" })) {
      if (!/^[^.].*(\.ya?ml|\.json|\/Dockerfile)$/.test(name)) continue;
      mkdirSync(dirname(join(outDir, name)), { recursive: true });
      copyFileSync(join(docs, name), join(outDir, name));
    }
  },
});
