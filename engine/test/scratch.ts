/** Small projects in folders of their own, for tests that run real programs and providers. */
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../../test/files";
import type { EngineEvent, RunOptions, Stack } from "../index";
import { openProject } from "./warm-processes";

const ROOT = path.join(__dirname, "../..");

const PROVIDER = `
const fs = require("fs");
const log = (line) => fs.appendFileSync(process.env.CALLS, line + "\\n");
exports.thing = {
  check: async (olds, news) => ({ inputs: news, failures: [] }),
  diff: async (id, olds, news) => ({ changes: olds.value !== news.value }),
  create: async (news) => {
    log("create " + news.name);
    if (process.env.SLOW) await new Promise((r) => setTimeout(r, Number(process.env.SLOW)));
    if (news.value === "bad") throw new Error("the service says no to " + news.secretText);
    return { id: news.name, outs: { ...news, token: "t" } };
  },
  update: async (id, olds, news) => (log("update " + news.name), { outs: { ...news, token: "t" } }),
  delete: async (id, props) => log("delete " + props.name),
};
`;
export const RESOURCES = `
const pulumi = require("@pulumi/pulumi");
class Thing extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super("pulumi-nodejs:dynamic/test:Thing", name, { name, token: undefined, ...args, __provider: 'exports.handler = () => require("./provider").thing;' }, opts);
  }
}
`;

export const NODE = "name: demo\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n";

/** A project in a folder of its own. */
export function project(files: Record<string, string>, sdk = "@pulumi/pulumi") {
  const dir = temporaryFolder({
    "Pulumi.yaml": NODE,
    "package.json": '{"private": true}',
    "provider.js": PROVIDER,
    calls: "",
    ...files,
  });
  fs.mkdirSync(path.join(dir, "node_modules/@pulumi"), { recursive: true });
  fs.symlinkSync(path.join(ROOT, "node_modules", sdk), path.join(dir, "node_modules/@pulumi/pulumi"));
  const clean = Object.fromEntries(Object.entries(process.env).filter(([k]) => !/^(PULUMI_|VITEST)/.test(k)));
  const calls = path.join(dir, "calls");
  const env: NodeJS.ProcessEnv = { ...clean, PULUMI_HOME: path.join(dir, "home"), PULUMI_CONFIG_PASSPHRASE: "a b c" };
  env.CALLS = calls;
  return {
    dir,
    env,
    write: (text: string, name = "index.js") => fs.writeFileSync(path.join(dir, name), text),
    calls: () => fs.readFileSync(calls, "utf8").split("\n").filter(Boolean),
  };
}

/** A stack "dev" in such a project. */
export async function newStack(
  files: Record<string, string>,
  { sdk, open = openProject }: { sdk?: string; open?: typeof openProject } = {},
) {
  return initStack(project(files, sdk), open);
}

export async function initStack<P extends ReturnType<typeof project>>(p: P, open = openProject) {
  const opened = await open(p);
  const stack = await opened.initStack("dev");
  return { ...p, opened, stack, up: (options?: RunOptions) => up(stack, options) };
}

export async function up(stack: Stack, options: RunOptions = {}) {
  const events: EngineEvent[] = [];
  const result = await stack.run("update", { ...options, onEvent: (e) => events.push(e) });
  const said = events.flatMap((e) => (e.type === "diagnostic" ? [e.message] : []));
  return { result, events, said: said.join("\n") };
}

export const stateFile = (dir: string): string => path.join(dir, ".pulumi/stacks/demo/dev.json");
export const readState = (dir: string) => JSON.parse(fs.readFileSync(stateFile(dir), "utf8"));
