/** What a release needs, and states of released versions. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { engines } from "../../package.json";
import { goModule, sdkNames } from "../../provider/protocol/sdk-names";
import schema from "../../schemas/provider.json";
import { withReleaseNames } from "../../tools/reference/release-names";
// @ts-expect-error a script without types
import { missingFor } from "../../tools/release/check.mjs";
// @ts-expect-error a script without types
import { javaPackage, mavenProject } from "../../tools/release/java.mjs";
// @ts-expect-error a script without types
import { placeholdersIn, placeholdersOf, publishedFiles } from "../../tools/release/placeholders.mjs";
import { programIn } from "../docs/readme";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- One\n\n## [0.1.0] - 2026-11-01\n";
const repository = "https://github.com/acme-sign/pulumi-esign";
const ready = { tag: "v0.2.0", version: "0.2.0", changelog, hasFixture: true, repository, home: repository };

test("a version with its tag, its section of the changelog and its fixture may be published", () => {
  expect(missingFor(ready)).toEqual([]);
});

test.each([
  [{ tag: "v0.2.1" }, "the tag is v0.2.1, and package.json has version 0.2.0"],
  [{ version: "0.3.0", tag: "v0.3.0" }, "CHANGELOG.md has no section [0.3.0]"],
  [{ changelog: changelog.replace("2026-12-01", "not released yet") }, "needs the date of the release"],
  [{ changelog: changelog.replace("- One", "") }, "the section of 0.2.0 is empty"],
  [{ changelog: changelog.replace("## [0.2.0]", "- More\n\n## [0.2.0]") }, "has entries under [Unreleased]"],
  [{ hasFixture: false }, "test/fixtures/state-0.2.0 is missing"],
  [{ withoutExample: ["Tag"] }, "registry/examples has no .md of Tag"],
  [{ repository: undefined }, "schemas/provider.json has no repository"],
  [{ placeholders: ["README.md:7: @pulumi/esign"] }, "placeholder in what is published: README.md:7: @pulumi/esign"],
  [{ home: "https://github.com/acme/pulumi-esign" }, "and this is https://github.com/acme/pulumi-esign"],
])("%j is refused", (change, message) => {
  expect(missingFor({ ...ready, ...change })).toEqual([expect.stringContaining(message)]);
});

test("the names of SDKs follow from the repository, and the schema, its examples and what is exported have them", () => {
  expect(sdkNames(repository)).toEqual({
    repository,
    publisher: "acme-sign",
    logoUrl: "https://github.com/acme-sign/pulumi-esign/raw/HEAD/registry/logo.png",
    pluginDownloadURL: "github://api.github.com/acme-sign/pulumi-esign",
    language: {
      nodejs: { packageName: "@acme-sign/esign" },
      python: { packageName: "pulumi_esign" },
      go: { importBasePath: "github.com/acme-sign/pulumi-esign/sdk/go/esign" },
      csharp: { rootNamespace: "AcmeSign" },
      java: { basePackage: "io.github.acme_sign" },
    },
  });
  expect(schema).toMatchObject(sdkNames());
  expect(goModule(repository)).toBe("github.com/acme-sign/pulumi-esign/sdk/go/esign");
  for (const folder of ["registry/examples", "registry/programs"])
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".md")))
      expect(readFileSync(`${folder}/${name}`, "utf8"), name).toContain(`"${goModule()}"`);
});

describe("placeholders", () => {
  const pages: string[] = publishedFiles(process.cwd());
  const read = (file: string) => readFileSync(file, "utf8");

  test("are found in pages, examples, templates and the schema while there is no repository, and the check names each file", () => {
    const found: string[] = placeholdersOf(process.cwd());
    for (const file of ["README.md", "templates/go/main.go", "registry/examples/Webhook.md", "schemas/provider.json"])
      expect(found.filter((line) => line.startsWith(`${file}:`)).length, file).toBe(1);
  });

  test("are all replaced by the names of a repository, which the reference then has; sentences are for a person", () => {
    const left = pages.flatMap((file) => {
      const texts: { found: string }[] = placeholdersIn(withReleaseNames(read(file), repository));
      return texts.map(({ found }) => found.toLowerCase());
    });
    expect([...new Set(left)].sort()).toEqual(["before the first release", "not released yet"]);
    expect(withReleaseNames('import "example.com/pulumi-esign/sdk/go/esign"; from "@pulumi/esign"', repository)).toBe(
      'import "github.com/acme-sign/pulumi-esign/sdk/go/esign"; from "@acme-sign/esign"',
    );
    expect(
      withReleaseNames("Esign = Pulumi.Esign; import com.pulumi.esign.Webhook; com.pulumi.Context", repository),
    ).toBe("Esign = AcmeSign.Esign; import io.github.acme_sign.esign.Webhook; com.pulumi.Context");
  });

  test("are left where there is no repository", () => {
    for (const file of pages) expect(withReleaseNames(read(file)), file).toBe(read(file));
  });
});

test("no name begins with a digit where a language refuses that", () => {
  const { csharp, java } = sdkNames("https://github.com/3d-sign/pulumi-esign").language;
  expect([csharp, java]).toEqual([{ rootNamespace: "_3dSign" }, { basePackage: "io.github._3d_sign" }]);
});

test("Java's project has the group that Maven's registry gives its owner, and the package that Java allows", () => {
  const { language, ...publisher } = sdkNames(repository);
  const released = { ...schema, ...publisher, language: { ...schema.language, ...language } };
  expect(javaPackage(released)).toBe("io.github.acme_sign.esign");
  expect(mavenProject(released)).toContain("<groupId>io.github.acme-sign</groupId>\n  <artifactId>esign</artifactId>");
});

const pythonReadme = readFileSync("tools/release/python-readme.md", "utf8");

test("the page of Python's package shows the program that is tried", () => {
  expect(pythonReadme).toContain(`\`\`\`python\n${programIn("python")}\`\`\``);
});

test("each place that names the oldest Node names that of the package", () => {
  const oldest = engines.node.replace(">=", "");
  const installer = readFileSync("tools/release/plugin_installer.py", "utf8");
  expect(installer).toContain(`OLDEST_NODE = (${oldest.replaceAll(".", ", ")})`);
  for (const name of ["pulumi-resource-esign", "pulumi-resource-esign.cmd"])
    expect(readFileSync(`plugin/bin/${name}`, "utf8")).toContain(`needs Node ${oldest} or newer`);
  expect(pythonReadme).toContain(`Node ${oldest} or newer`);
});

test("the changelog keeps the form of Keep a Changelog", () => {
  const headings = readFileSync("CHANGELOG.md", "utf8").match(/^##+ .*/gm)!;
  expect(headings[0]).toBe("## [Unreleased]");
  for (const heading of headings)
    expect(heading).toMatch(
      /^(## \[Unreleased\]|## \[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d|not released yet)|### (Added|Changed|Deprecated|Removed|Fixed|Security))$/,
    );
});
