// Package managers and versions of Node, each installed once beside the other packages, and how they are called.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../prepare.mjs";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const versionOf = (range) => range.match(/\d+\.\d+\.\d+/)[0];

/** Both ends of the ranges that package.json has. */
export const nodes = { oldest: versionOf(manifest.engines.node), newest: "latest" };
export const sdks = { oldest: versionOf(manifest.peerDependencies["@pulumi/pulumi"]), newest: "latest" };

const yarn = (linker) => ({
  package: "@yarnpkg/cli-dist@4",
  // A lock file says that the folder is a project of its own.
  files: { "yarn.lock": "", ".yarnrc.yml": `nodeLinker: ${linker}\nenableTelemetry: false\n` },
  dlx: (tarball) => ["yarn", "dlx", "--quiet", "--package", `pulumi-esign@file:${tarball}`, "esign"],
  exec: ["yarn"],
  script: ["yarn"],
});

const pnpm = (version) => ({
  package: `pnpm@${version}`,
  files: {},
  dlx: (tarball) => ["pnpm", `--package=${tarball}`, "dlx", "esign"],
  exec: ["pnpm", "exec"],
  script: ["pnpm", "run"],
});

export const managers = {
  npm: {
    files: {},
    dlx: (tarball) => ["npm", "exec", "--yes", `--package=${tarball}`, "--", "esign"],
    exec: ["npm", "exec", "--no", "--"],
    script: ["npm", "run"],
  },
  pnpm: pnpm(12),
  // It wants packages in its settings.
  "pnpm 9": pnpm(9),
  yarn: yarn("node-modules"),
  "yarn pnp": yarn("pnp"),
  // It has no dlx; its engine check is strict.
  "yarn 1": {
    package: "yarn@1",
    files: {},
    dlx: (tarball) => ["npm", "exec", "--yes", `--package=${tarball}`, "--", "esign"],
    installs: ["yarn", "install", "--non-interactive"],
    exec: ["yarn", "--silent"],
    // `check` is a command of its own.
    script: ["yarn", "--silent", "run"],
  },
};

/** Folders for the front of PATH. */
export async function installTools({ manager, node }, run) {
  const folders = [];
  if (node !== "current") {
    // What npm has of Node are packages for one platform each.
    const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
    folders.push(join(await install(`${name}@${nodes[node]}`, run), "node_modules", name, "bin"));
  }
  const tool = managers[manager].package;
  if (tool !== undefined) folders.push(join(await install(tool, run), "node_modules", ".bin"));
  return folders;
}

/** What other tools find wrong with the package: its exports, files and types. */
export async function lintPackage(tarball, run) {
  const publint = join(await install("publint@0.3.25", run), "node_modules/publint/src/cli.js");
  const attw = join(
    await install("@arethetypeswrong/cli@0.18.5", run),
    "node_modules/@arethetypeswrong/cli/dist/index.js",
  );
  await run([process.execPath, publint, tarball, "--strict"], { cwd: root });
  await run([process.execPath, attw, tarball], { cwd: root });
}

async function install(specifier, run) {
  const folder = join(root, "node_modules", ".cache", "from-nothing", specifier.replace(/\W+/g, "-"));
  if (existsSync(join(folder, ".installed"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await run(["npm", "install", "--no-audit", "--no-fund", specifier], { cwd: folder });
  writeFileSync(join(folder, ".installed"), "");
  return folder;
}

/** The environment of someone who has done nothing yet: neither settings of Pulumi nor what `npm run` adds. */
export function environment(home, folders, path = process.env.PATH) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(pulumi|esign|node_options|init_cwd|npm_(?!config_(registry|cafile|cache|.*proxy)$))/i.test(name),
    ),
  );
  return { ...env, PATH: [...folders, path].join(delimiter), PULUMI_HOME: home, NO_COLOR: "1" };
}
