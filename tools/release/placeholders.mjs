// What a release must not contain: names that the SDKs have while the source has no public host (provider/protocol/sdk-names.ts), and sentences
// that are true before the first release alone.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** By language, the name without a repository: that which the Pulumi CLI generates by itself. */
export const placeholderNames = {
  go: /example\.com\/pulumi-esign\/sdk\/go\/esign\b/g,
  nodejs: /@pulumi\/esign\b/g,
  csharp: /\bPulumi\.Esign\b/g,
  java: /\bcom\.pulumi\.esign\b/g,
};

const sentences = /before the first release|not released yet/gi;

/** Where a release has names: pages, examples and templates. The sources of the command take them from one file. */
const places = ["README.md", "docs", "examples", "registry", "schemas", "templates"];

/** The paths of all files in there. */
export function publishedFiles(root) {
  const files = places
    .filter((place) => existsSync(join(root, place)))
    .flatMap((place) =>
      statSync(join(root, place)).isFile()
        ? [place]
        : readdirSync(join(root, place), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1)),
    );
  return files.filter((file) => /\.(md|json|ya?ml|go|ts|py)$/.test(file) && !/node_modules|[\\/]\./.test(file));
}

/** Each placeholder in a text, with its line. */
export function placeholdersIn(text) {
  const patterns = [...Object.values(placeholderNames), sentences];
  return text
    .split("\n")
    .flatMap((line, at) =>
      patterns.flatMap((pattern) => line.match(pattern) ?? []).map((found) => ({ line: at + 1, found })),
    );
}

/** The same of a folder of sources: a line for each file, with its first one. */
export function placeholdersOf(root) {
  return publishedFiles(root).flatMap((file) => {
    const found = placeholdersIn(readFileSync(join(root, file), "utf8"));
    if (found.length === 0) return [];
    const more = found.length > 1 ? `, and ${found.length - 1} more` : "";
    return [`${file}:${found[0].line}: ${found[0].found}${more}`];
  });
}
