/** The engine is a package of its own: what it imports and exports, and what it does not know. Its rooms and tests: .dependency-cruiser.cjs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
const [whole, engine] = [manifestOf("."), manifestOf("engine")];

const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => ending.test(name) && !name.includes("node_modules"));
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** What a file imports: packages by their names, files by their paths from the root. */
function importsOf(file: string): string[] {
  const names = [...read(file).matchAll(/\b(?:from|import\(|require\() ?"([^"]+)"/g)].map(([, name]) => name as string);
  return names.map((name) => (name.startsWith(".") ? relative(root, resolve(root, dirname(file), name)) : name));
}

const sources = filesOf("engine", /\.ts$/).filter((file) => !file.startsWith("engine/test/"));
const rooms: string[] = JSON.parse(read("tsconfig.build.json")).include;

it("has the version of the whole, and is not published by itself", () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(engine).toMatchObject({ version: whole.version, private: true });
});

it("imports packages that it declares, in the range of the whole, and no other", () => {
  const packages = sources
    .flatMap(importsOf)
    .filter((name) => !/^(engine|fs|redaction)\/|^sdk\/text\/did-you-mean$|^node:/.test(name));
  // What @pulumi/pulumi brings along is loaded from there.
  const ofTheSdk = /^(@grpc\/grpc-js|google-protobuf\/.*)$/;
  expect([...new Set(packages.filter((name) => !ofTheSdk.test(name)))].sort()).toEqual(
    Object.keys(engine.dependencies),
  );
  const ranges = Object.keys(engine.dependencies).map((name) => [
    name,
    whole.dependencies[name] ?? whole.devDependencies[name],
  ]);
  expect(Object.fromEntries(ranges)).toEqual(engine.dependencies);
});

it("exports what others import, and nothing else", () => {
  const outside = [...rooms.filter((room) => room !== "engine"), "test"].flatMap((room) => filesOf(room, /\.ts$/));
  const imported = outside
    .flatMap(importsOf)
    .filter((name) => name.startsWith("engine/") && !name.startsWith("engine/test/"))
    .map((name) => `./${relative("engine", name).replace(/\.js$/, "")}.ts`);
  expect([...new Set(imported)].sort()).toEqual(Object.values(engine.exports).sort());
  expect(Object.keys(engine.exports)).toEqual(
    Object.values<string>(engine.exports).map((file) => (file === "./index.ts" ? "." : file.replace(/\.ts$/, ""))),
  );
  expect([engine.main, engine.types]).toEqual(["./index.ts", "./index.ts"]);
  expect(existsSync(join(root, "engine", engine.main))).toBe(true);
});

it("has a map, in its README, of files that exist", () => {
  const all = filesOf("engine", /\.ts$/);
  const named = [...read("engine/README.md").matchAll(/`([\w/.-]+\.ts)`/g)].map(([, name]) => name as string);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !all.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it("stays behind its door: the map of the whole names its README, its interface and tests of attacks", () => {
  const names = [...read("ARCHITECTURE.md").matchAll(/[`(](engine\/[\w./-]+)/g)].map(([, name]) => name as string);
  expect(names.filter((name) => !/^engine\/(README\.md|package\.json|test\b)/.test(name))).toEqual([]);
  const elsewhere = ["decisions", "test"].flatMap((folder) =>
    readdirSync(join(root, folder)).filter((name) => /^engine/.test(name)),
  );
  expect(elsewhere).toEqual([]);
});

it("knows nothing of e-signatures", () => {
  const texts = filesOf("engine", /\.(ts|cjs|md|json)$/).filter((file) => !file.startsWith("engine/test/recordings/"));
  const words =
    /\besign|e-?sign(atures?|ing)?\b|\bwebhooks?\b|\benvelopes?\b|\bbrandings?\b|\bsubaccounts?\b|\bsigners?\b/i;
  const found = texts.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, at) => (words.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
