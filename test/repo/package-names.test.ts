/**
 * A command that a package manager fetches by the name of a package runs whatever the registry has under that name. The package
 * `esign` is not this project's, so no text tells a reader to fetch it: `npx pulumi-esign up`, or `npx --no -- esign up`, which
 * fetches nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { adaptCommands } from "../../cli/project/new-project/package-manager";

const root = resolve(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The packages that a reader's commands may fetch: this one, Pulumi's command, and tools of this repository and of its templates. */
const packages = new Set(["pulumi-esign", "pulumi", "vitest", "tsc", "tsx", "ts-node"]);

const runners = /\b(?:npx|bunx|bun x|npm (?:exec|x)|(?:pnpm|yarn) dlx)["',]* *(?=["'\w-])/g;

/** The packages that the commands of a text fetch. */
function fetched(text: string): string[] {
  return [...text.matchAll(runners)].flatMap((match) => {
    const command = text.slice(match.index + match[0].length).split(/[\n;&|`)\]]/, 1)[0]!;
    const words = command.split(/[\s"',]+/).filter(Boolean);
    const named: string[] = [];
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      // Nothing is fetched.
      if (/^(--no|--no-install|--offline)$/.test(word)) return [];
      const option = /^(?:-p|--package)(?:=(.*))?$/.exec(word);
      if (option) named.push(option[1] ?? words[++at] ?? "");
      else if (!word.startsWith("-")) return named.length > 0 ? named : /^[@\w./~-]+$/.test(word) ? [word] : [];
    }
    return named;
  });
}

/** A package by its name, or as this project's archive or folder. */
const isAllowed = (name: string): boolean =>
  packages.has(name.replace(/(?<=.)@.*$/, "")) || /(^|\/)pulumi-esign[^/]*\.tgz$/.test(name);

const rooms: string[] = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")).include;
const folders = [
  ...rooms,
  "docs",
  "decisions",
  "examples",
  "templates",
  "registry",
  "tools",
  "plugin",
  "schemas",
  ".github",
];
const files = [
  ...readdirSync(root).filter((name) => /\.(md|json|yaml)$/.test(name) && name !== "package-lock.json"),
  ...[...new Set(folders)].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(md|ya?ml|json|[cm]?[jt]s|html|sh|py|go|csv|txt)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !/(^|\/)(node_modules|dist|\.vitepress)\//.test(path)),
  ),
];

it("no command in docs, help, templates or messages fetches a package of another name", () => {
  expect(files.length).toBeGreaterThan(800);
  const commands = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return fetched(text).map((name) => ({ file, name }));
  });
  expect(commands.filter(({ name }) => name === "pulumi-esign").length).toBeGreaterThan(50);
  expect(commands.filter(({ name }) => !isAllowed(name))).toEqual([]);
});

it.each([
  ["Run `npx esign emulator` first", ["esign"]],
  ["npx -y esign@latest up", ["esign@latest"]],
  ["pnpm dlx esign up && yarn dlx esign-cli", ["esign", "esign-cli"]],
  ['command: ["npx", "esign", "emulator"]', ["esign"]],
  ["npm exec -- esign up; bunx esign", ["esign", "esign"]],
  ["npx --package pulumi-esign -- esign up", ["pulumi-esign"]],
  ["npx -p=/x/pulumi-esign-0.1.0.tgz -- esign", ["/x/pulumi-esign-0.1.0.tgz"]],
  ["npx --no -- esign up; npx pulumi-esign up", ["pulumi-esign"]],
])("%s", (text, expected) => {
  expect(fetched(text)).toEqual(expected);
});

it("the package has a command of its own name, the same as esign, for every package manager", () => {
  expect(manifest.bin["pulumi-esign"]).toBe(manifest.bin.esign);
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  expect(lock.packages[""].bin).toEqual(manifest.bin);
  for (const manager of ["npm", "pnpm", "yarn", "bun"] as const)
    expect(adaptCommands("npx pulumi-esign up", manager)).toMatch(/^(npx|pnpm|yarn|bunx) pulumi-esign up$/);
});
