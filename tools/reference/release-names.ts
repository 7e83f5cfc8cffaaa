/** The names of the SDKs in all that is published: written once, when `provider/protocol/sdk-names.ts` gets the repository. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goModule, sdkNames } from "../../provider/protocol/sdk-names";
// @ts-expect-error a script without types
import { placeholderNames, publishedFiles } from "../release/placeholders.mjs";

/** A text with the names that follow from the repository, in place of those that the Pulumi CLI has without one. */
export function withReleaseNames(text: string, repository?: string): string {
  const { nodejs, csharp, java } = sdkNames(repository).language;
  const names = {
    go: goModule(repository),
    nodejs: nodejs?.packageName,
    csharp: csharp && `${csharp.rootNamespace}.Esign`,
    java: java && `${java.basePackage}.esign`,
  };
  return Object.entries(names).reduce(
    (changed, [language, name]) => (name === undefined ? changed : changed.replace(placeholderNames[language], name)),
    text,
  );
}

export function writeReleaseNames(): void {
  const root = join(__dirname, "../..");
  for (const file of publishedFiles(root)) {
    const text = readFileSync(join(root, file), "utf8");
    const changed = withReleaseNames(text);
    if (changed !== text) writeFileSync(join(root, file), changed);
  }
}
