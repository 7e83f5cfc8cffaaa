/** Who may know whom: the rooms by tools/room-imports.cjs, packages by the table below. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const config = require("../../.dependency-cruiser.cjs");
const order: Record<string, { imports: string[]; rows: string[] }> = require("../../tools/room-imports.cjs");

/** Packages that belong to one room. */
const owners: Record<string, string[]> = {
  undici: ["sdk"],
  "@pulumi/pulumi": ["cli", "plugin", "provider", "testing"],
  commander: ["cli"],
  "cli-table3": ["cli"],
};

/** Folders of test/ that are about more than one room. */
const acrossRooms = ["repo", "contract", "reliability", "examples", "docs", "fixtures"];

const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([@\w.][\w@./:-]*)["']/g;

/** With `atRunTime`, types are left out: they need no package. */
function importsOf(file: string, atRunTime = false): string[] {
  let code = readFileSync(file, "utf8").replace(/^\s*(\*|\/\/).*$/gm, "");
  if (atRunTime) code = code.replace(/\bimport type\b[^;]*;/g, "").replace(/\btypeof import\([^)]*\)/g, "");
  // A file with a `require` of its own loads from the packages of another project.
  if (/\b(const|let) require\b|\brequire\s*[:,)]/.test(code)) code = code.replace(/\brequire\s*\(/g, "theirs(");
  return [...code.matchAll(specifier)].map((match) => match[1] as string);
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name));
const sources = (folder: string): string[] =>
  filesIn(folder).filter((file) => !relative(root, file).startsWith(join("engine", "test")));

const rooms: string[] = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")).include;

describe("rooms", () => {
  it("are the ones that are built", () => {
    expect(rooms.toSorted()).toEqual(Object.keys(order).toSorted());
  });

  it("import each other, and their own folders, in order and without a circle", async () => {
    const { cruise } = await import("dependency-cruiser");
    const { output } = await cruise(rooms, {
      ...config.options,
      ruleSet: { forbidden: config.forbidden ?? [] },
      validate: true,
    });
    if (typeof output === "string") throw new Error(output);
    expect(output.summary.totalDependenciesCruised).toBeGreaterThan(1_000);
    expect(output.summary.violations.map(({ from, to, rule }) => `${from} imports ${to} (${rule.name})`)).toEqual([]);
  });

  it.each(rooms)("%s: each of its files has a place in the order", (room) => {
    const rows = (order[room]?.rows ?? []).flatMap((row) => row.split("|"));
    const strange = readdirSync(join(root, room))
      // Others are data and pages: what npm and the Pulumi CLI read of a plugin, the decisions of the engine.
      .filter((name) => name.endsWith(".ts") || (!name.includes(".") && filesIn(join(root, room, name)).length > 0))
      .map((name) => name.replace(/\.ts$/, ""))
      .filter((name) => !rows.includes(name) && !rows.includes(".") && !rows.includes("*"));
    expect(strange).toEqual([]);
  });

  it.each(Object.entries(owners))("%s is imported by its rooms only", (pack, mayImport) => {
    const importing = rooms.filter((room) =>
      sources(join(root, room)).some((file) =>
        importsOf(file).some((name) => name === pack || name.startsWith(`${pack}/`)),
      ),
    );
    expect(importing.toSorted()).toEqual(mayImport.toSorted());
  });

  it("of the examples import the package by its published name only", () => {
    const wrong = sources(join(root, "examples")).flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith("..") || /^pulumi-esign\/(dist|sdk\/|provider)/.test(name))
        .map((name) => `${relative(root, file)} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("are published, and tools are not", () => {
    const { files, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(files.filter((entry: string) => /^(tools|test|decisions)\b/.test(entry))).toEqual([]);
    expect(rooms).not.toContain("tools");
    expect(config.forbidden.map(({ name }: { name: string }) => name)).toContain("tools-stand-beside");
    const started = Object.values<string>(scripts).flatMap(
      (command) => /\b([\w-]+)\/[\w/-]+\.(mjs|ts)\b/.exec(command)?.[1] ?? [],
    );
    expect(new Set(started)).toEqual(new Set(["tools"]));
  });

  it("have no folder of more than 30 files, which would hold more than one subject", () => {
    const folders = rooms.flatMap((room) => [
      join(root, room),
      ...readdirSync(join(root, room), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name)),
    ]);
    const ofRooms = folders.filter((folder) => !relative(root, folder).startsWith(join("engine", "test")));
    expect(ofRooms.length).toBeGreaterThan(50);
    const large = ofRooms.filter(
      (folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length > 30,
    );
    expect(large.map((folder) => relative(root, folder))).toEqual([]);
  });

  it("have no drawer for odds and ends", () => {
    const drawers = [...rooms, "test", "examples", "tools"].flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.parentPath.includes("node_modules"))
        .map((entry) => entry.name)
        .filter((name) => ["utils", "util", "common", "helpers", "types"].includes(name)),
    );
    expect(drawers).toEqual([]);
  });

  it("are mirrored by their tests", () => {
    const strange = readdirSync(join(root, "test"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .filter((name) => ![...rooms, ...acrossRooms].includes(name));
    expect(strange).toEqual([]);
  });
});

describe("dependencies", () => {
  const json = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));
  const { dependencies, devDependencies, peerDependencies } = json("package.json");
  const bundled: string[] = json("tools/bundled-packages.json");

  it("whose code is bundled are installed for the build only, but where the types need one", () => {
    expect(Object.keys(dependencies)).toEqual(["zod"]);
    expect(bundled.filter((name) => !(name in { ...dependencies, ...devDependencies }))).toEqual([]);
  });

  it("are each used, and each explained in one line", () => {
    const used = new Set(rooms.flatMap((room) => sources(join(root, room)).flatMap((file) => importsOf(file))));
    const page = readFileSync(join(root, "decisions/dependencies.md"), "utf8");
    for (const name of bundled) {
      expect(
        [...used].some((one) => one === name || one.startsWith(`${name}/`)),
        `${name} is used`,
      ).toBe(true);
      expect(page, `${name} is explained`).toContain(`\`${name}\``);
    }
  });

  it("that are imported are declared", () => {
    // Its own name stands in the texts that it writes for others.
    const declared = ["pulumi-esign", ...Object.keys({ ...dependencies, ...peerDependencies }), ...bundled];
    // Its one file has all that it imports.
    const builtIn = (room: string) => (room === "plugin" ? Object.keys(devDependencies) : []);
    const wrong = rooms.flatMap((room) =>
      sources(join(root, room)).flatMap((file) =>
        importsOf(file, true)
          .filter((name) => !name.startsWith(".") && !name.startsWith("node:"))
          .filter((name) => ![...declared, ...builtIn(room)].some((one) => name === one || name.startsWith(`${one}/`)))
          .map((name) => `${relative(root, file)} imports ${name}`),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

it.each([
  {
    name: "URL.canParse",
    call: /URL\.canParse\(/,
    why: "is wrong in long runs: parseUrl of sdk/text/url.ts reads addresses",
  },
  {
    name: "mkdir with recursive",
    call: /\bmkdir(Sync)?\([^;]*recursive: true/,
    why: "never ends in /proc: fs/make-folder.ts makes folders",
  },
  {
    name: "AbortSignal.any",
    call: /AbortSignal\.any\(/,
    why: "forgets a timeout that was garbage-collected: listen to each",
  },
])("no room calls $name, which with Node 20 $why", ({ call }) => {
  const all = rooms.flatMap((room) => sources(join(root, room)));
  expect(all.length).toBeGreaterThan(100);
  const calling = all.filter((file) => call.test(readFileSync(file, "utf8")));
  expect(calling.map((file) => relative(root, file))).toEqual([]);
});

it("the provider compares dates with the machine's clock in one place: ages.ts counts them", () => {
  const reading = sources(join(root, "provider")).filter((file) => readFileSync(file, "utf8").includes("Date.now("));
  expect(reading.map((file) => relative(root, file))).toEqual(["provider/core/clock.ts"]);
});

it("the files that the package promises are there", () => {
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md"]) expect(existsSync(join(root, file)), file).toBe(true);
});
