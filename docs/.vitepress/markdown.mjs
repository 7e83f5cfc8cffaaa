/** What the pages have for GitHub, and the site shows in another way. */
import { dirname, resolve, sep } from "node:path";

/** Comments, such as those around generated parts, are not shown. A plug-in of markdown-it. */
export const withoutComments = (md) => {
  md.core.ruler.before("normalize", "comments", (state) => {
    state.src = state.src.replace(/^<!--.*-->$/gm, "");
  });
};

const choice = /^<details(?: open)?><summary>(.+)<\/summary>\n\n```(\w+)\n([\s\S]*?\n)```\n\n<\/details>\n?/gm;
const choices = new RegExp(`(?:${choice.source})+`, "gm");

/** The same program in several languages, of which GitHub opens one: tabs on the site. A plug-in of markdown-it. */
export const withTabs = (md) => {
  md.core.ruler.before("normalize", "tabs", (state) => {
    state.src = state.src.replace(choices, (run) => {
      const tabs = [...run.matchAll(choice)].map(
        ([, title, language, text]) => `\`\`\`${language} [${title}]\n${text}\`\`\``,
      );
      return `::: code-group\n\n${tabs.join("\n\n")}\n\n:::\n`;
    });
  });
};

/**
 * Links to files that are not on the site lead to the repository, or to nothing where that is not published. A plug-in of markdown-it.
 * @param {string} docs folder of the pages
 * @param {string | undefined} repository URL of the repository
 */
export const linksToFiles = (docs, repository) => (md) => {
  md.core.ruler.push("links-to-files", ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (const [at, token] of (children ?? []).entries()) {
        const href = token.type === "link_open" ? token.attrGet("href") : null;
        if (!href || /^([a-z]+:|#)/.test(href)) continue;
        const path = resolve(docs, dirname(env.relativePath), href);
        if (path.startsWith(docs + sep)) continue;
        if (repository) token.attrSet("href", `${repository}/tree/main/${path.slice(dirname(docs).length + 1)}`);
        else for (const one of [token, closingOf(children, at)]) Object.assign(one, { type: "text", content: "" });
      }
    }
  });
};

const closingOf = (tokens, open) => tokens.slice(open).find(({ type }) => type === "link_close");
