/** What the pages have for GitHub, and the site shows in another way. */
import { dirname, resolve, sep } from "node:path";

/** Comments, such as those around generated parts, are not shown. A plug-in of markdown-it. */
export const withoutComments = (md) => {
  md.core.ruler.before("normalize", "comments", (state) => {
    state.src = state.src.replace(/^<!--.*-->$/gm, "");
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
