// Bundles the modules and their packages into dist/: a file for each entry, and chunks that they share. A run loads a few files, not
// hundreds, and a module exists once in a process, whichever entries it uses.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { rolldown } from "rolldown";
import { sources as allSources, root } from "./prepare.mjs";

/** Where it is compiled, and bundled: dist/ unless another folder is named. */
const dist = process.argv[2] ?? join(root, "dist");
const modules = join(dist, ".modules");
const read = (path) => readFileSync(path, "utf8");
const nameOf = (path) => relative(root, path).replaceAll(sep, "/").replace(/\.ts$/, "");
const { engines, exports, bin, peerDependencies } = JSON.parse(read(join(root, "package.json")));

/** The packages whose code becomes part of this one. */
const bundled = JSON.parse(read(join(root, "tools/bundled-packages.json")));
/** What the user's project has, and this package by its own name. */
const foreign = [...builtinModules, ...Object.keys(peerDependencies), "@pulumi/policy", "pulumi-esign", "typescript"];
const isForeign = (id) => id.startsWith("node:") || foreign.some((name) => id === name || id.startsWith(`${name}/`));

/** Plain JavaScript, which is preloaded as it is. */
const preloads = "engine/plugin/preload";
const sources = allSources().filter((path) => path.endsWith(".ts") && !nameOf(path).startsWith(preloads));

/** What a `require` names: most processes never execute it. */
const required = (name, importer) => (name.startsWith(".") ? `${resolve(dirname(importer), name)}.ts` : name);
/** Its file: that of the module, or one for a package. */
const fileOf = (id) => (id.endsWith(".ts") ? nameOf(id) : `packages/${id.replace("/", "-")}`);

const entries = Object.fromEntries([
  ...[...Object.values(exports).flatMap((entry) => entry.default ?? []), ...Object.values(bin)]
    .map((file) => file.replace(/^(\.\/)?dist\/(.*)\.js$/, "$2"))
    // Started by its path, for the Automation API; loaded by benches; in no chunk that loads the SDK.
    .concat("cli/automation/main", "engine/index", "provider/pulumi/require-sdk")
    .map((name) => [name, join(root, `${name}.ts`)]),
  ...sources.flatMap((path) =>
    [...read(path).matchAll(/\brequire\("([^"]+)"\)/g)]
      .filter(([, name]) => name.startsWith(".") || bundled.includes(name))
      .map(([, name]) => required(name, path))
      .map((id) => [fileOf(id), id]),
  ),
]);
const isEntry = (id) => Object.values(entries).includes(id);
/** A module that looks for files beside itself stays beside them. */
const staysInPlace = (id) => !isEntry(id) && sources.includes(id) && /\b__dirname\b/.test(read(id));

/**
 * undici asks for a module that Node 20 lacks, for a cache that the client does not use. Bundlers of users, such as Rollup, would load it
 * with the rest at the start, where its absence ends the program.
 */
const withoutSqlite = {
  name: "without sqlite",
  transform(code, id) {
    if (!/[\\/]undici[\\/]lib[\\/]/.test(id) || !code.includes("require('node:sqlite')")) return null;
    const absent = `(() => { throw Object.assign(new Error("not used"), { code: "ERR_UNKNOWN_BUILTIN_MODULE" }); })()`;
    return code.replaceAll("require('node:sqlite')", absent);
  },
};

/** Which entries load a module. */
const users = new Map();
const plugin = {
  name: "entries",
  resolveId(source, importer, { kind }) {
    if (kind !== "require-call" || !sources.includes(importer) || isForeign(source)) return null;
    // All chunks are one folder below dist/.
    return { id: `../${fileOf(required(source, importer))}.js`, external: true };
  },
  buildEnd() {
    const visit = (id, entry) => {
      const names = users.get(id) ?? new Set();
      if (names.has(entry)) return;
      users.set(id, names.add(entry));
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) visit(imported, entry);
    };
    // Imported late, but at once: the front of the command, commands that are waited for, what each deployment begins with, and the provider without the classes of programs.
    const commands = ["explain", "deploy/index", "stack/index", "stack/config"].map((name) => `cli/commands/${name}`);
    const fronts = [
      "cli/start",
      "cli/run",
      ...commands,
      "provider/session/provider-config",
      "provider/session/config-issues",
      "cli/engine/in-process-package",
      "cli/engine/in-process-components",
      "provider/components/pulumi-import-file",
      "cli/engine/in-process-dynamic",
    ].map((name) => join(root, `${name}.ts`));
    for (const entry of [...Object.values(entries), ...fronts]) visit(entry, entry);
  },
};

/** What the same entries load is one chunk. What is loaded by `import()` only is left to the bundler. */
function loadedTogether(id) {
  const names = [...(users.get(id) ?? [])].map((entry) =>
    nameOf(entry)
      .replace(/\W?index$/, "")
      .replaceAll("/", "-"),
  );
  return names.length === 0 ? null : names.sort().join("+");
}

const problems = [];
const build = await rolldown({
  cwd: root,
  input: entries,
  platform: "node",
  external: isForeign,
  plugins: [plugin, withoutSqlite],
  tsconfig: "tsconfig.build.json",
  preserveEntrySignatures: "allow-extension",
  onLog: (_, { message }) => problems.push(message),
});
const { output } = await build.write({
  dir: dist,
  format: "cjs",
  exports: "named",
  entryFileNames: "[name].js",
  chunkFileNames: ({ name }) =>
    name.includes("/") ? "[name].js" : `chunks/${name.includes("_") ? "shared" : "[name]"}-[hash].js`,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { test: staysInPlace, name: nameOf, debugName: "in place", priority: 1 },
      { test: (id) => !isEntry(id), name: loadedTogether, debugName: "loaded together" },
    ],
  },
});
await build.close();
rejectCycles(new Map(output.map(({ fileName, imports = [] }) => [fileName, imports])));

/** Of two files that load each other, one would read what the other has not defined yet. */
function rejectCycles(imports) {
  const [open, done] = [[], new Set()];
  const visit = (file) => {
    if (open.includes(file))
      throw new Error(`bundles load each other: ${[...open.slice(open.indexOf(file)), file].join(" → ")}`);
    if (done.has(file)) return;
    open.push(file);
    for (const imported of imports.get(file) ?? []) visit(imported);
    done.add(open.pop());
  };
  for (const file of imports.keys()) visit(file);
}

/**
 * What the SDK loads for functions that are handed over as text, and for programs that deploy programs: a compiler, a package manager.
 * The plugin has neither.
 */
const unused =
  /[\\/]@pulumi[\\/]pulumi[\\/](typescript-shim|runtime[\\/]closure[\\/]codePaths|automation[\\/]index)\.js$/;
const emptied = { name: "unused", load: (id) => (unused.test(id) ? "module.exports = {};" : null) };

// The plugin runs without a project: what the others find there is part of its files. The second has what its components need, the SDK among it.
const pluginBuild = await rolldown({
  cwd: root,
  input: { index: join(root, "plugin/index.ts") },
  platform: "node",
  external: builtinModules.flatMap((name) => [name, `node:${name}`]),
  plugins: [emptied, withoutSqlite],
  preserveEntrySignatures: "allow-extension",
  onLog: (_, { message }) => problems.push(message),
});
const pluginFolder = join(dist, "plugin/bin");
const nodeVersion = read(join(root, "plugin/node-version.ts")).replaceAll(
  "OLDEST_NODE",
  /[\d.]+$/.exec(engines.node)[0],
);
const { output: pluginOutput } = await pluginBuild.write({
  dir: pluginFolder,
  format: "cjs",
  banner: ({ isEntry }) => (isEntry ? nodeVersion : ""),
  chunkFileNames: "[name].js",
});
await pluginBuild.close();

if (problems.length > 0) throw new Error(problems.join("\n"));
const written = new Set([
  ...output.map(({ fileName }) => join(dist, fileName)),
  ...pluginOutput.map(({ fileName }) => join(pluginFolder, fileName)),
]);

// What is preloaded, and what `--help` reads: its sentences are the comments of the endpoints.
for (const folder of [preloads, "sdk/api"]) {
  mkdirSync(join(dist, folder), { recursive: true });
  for (const file of readdirSync(join(modules, folder)).filter((name) => name.endsWith(".js"))) {
    copyFileSync(join(modules, folder, file), join(dist, folder, file));
    written.add(join(dist, folder, file));
  }
}

// What earlier builds have left.
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && path.endsWith(".js") && !path.startsWith(modules) && !written.has(path)) rmSync(path);
}

/** The licences of the packages in the bundles. */
const packages = [...output, ...pluginOutput]
  .flatMap(({ moduleIds = [] }) => moduleIds)
  .flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []);
const licences = [...new Set(packages)].sort().map((folder) => {
  const { name, version } = JSON.parse(read(join(folder, "package.json")));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(-mit)?(\.(md|txt))?$/i.test(one));
  if (file === undefined) throw new Error(`${name} has no licence`);
  return `${name} ${version}\n\n${read(join(folder, file)).trim()}\n`;
});
writeFileSync(join(dist, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));
