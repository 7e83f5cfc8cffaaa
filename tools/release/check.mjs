// Whether a tag may be published: node tools/release/check.mjs v0.1.0
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { red, root, say } from "../prepare.mjs";
import { placeholdersOf } from "./placeholders.mjs";

/** What is missing for the release. */
export function missingFor({
  tag,
  version,
  changelog,
  hasFixture,
  withoutExample = [],
  repository,
  home,
  placeholders = [],
}) {
  const missing = [];
  if (tag !== `v${version}`) missing.push(`the tag is ${tag}, and package.json has version ${version}`);
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  if (section === undefined) missing.push(`CHANGELOG.md has no section [${version}]`);
  else {
    if (!/^\[[^\]]+\] - \d{4}-\d\d-\d\d$/m.test(section.split("\n")[0]))
      missing.push(
        `CHANGELOG.md: the heading of ${version} needs the date of the release, as in [${version}] - 2026-01-31`,
      );
    if (!/^- /m.test(section)) missing.push(`CHANGELOG.md: the section of ${version} is empty`);
  }
  const unreleased = sections.find((text) => text.startsWith("[Unreleased]"));
  if (/^- /m.test(unreleased ?? ""))
    missing.push("CHANGELOG.md has entries under [Unreleased]: move them to the version");
  if (!hasFixture)
    missing.push(`test/fixtures/state-${version} is missing: later versions must continue this version's state`);
  if (withoutExample.length > 0)
    missing.push(`registry/examples has no .md of ${withoutExample.join(", ")}: run node tools/registry-examples.mjs`);
  if (repository === undefined)
    missing.push(
      "schemas/provider.json has no repository: set it in provider/protocol/sdk-names.ts, and write the schema again. The names of the SDKs follow from it and are permanent",
    );
  else if (home !== undefined && repository !== home)
    missing.push(`schemas/provider.json has the repository ${repository}, and this is ${home}`);
  missing.push(...placeholders.map((place) => `placeholder in what is published: ${place}`));
  return missing;
}

/** The same of this working tree. */
export function missing(tag) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { repository, resources } = JSON.parse(readFileSync(join(root, "schemas/provider.json"), "utf8"));
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  return missingFor({
    tag,
    version,
    changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
    hasFixture: existsSync(join(root, "test/fixtures", `state-${version}`)),
    withoutExample: Object.keys(resources)
      .map((token) => token.split(":").at(-1))
      .filter((name) => !existsSync(join(root, "registry/examples", `${name}.md`))),
    repository,
    placeholders: placeholdersOf(root),
    home: GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`,
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const lines = missing(process.argv[2]);
  for (const line of lines) say(red(line));
  process.exitCode = lines.length > 0 ? 1 : 0;
}
