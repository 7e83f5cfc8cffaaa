/** Resources of JavaScript programs on the built-in engine: in its own process, where the program has the command's version of the package. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { requireWarm } from "../../engine/test/warm-processes";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { beginShop, esignProcess, root } from "./esign";
import { inProcess } from "./in-process";

const service = useEmulator();
beforeEach(() => service.reset());

const hook = 'new esign.Webhook("hook", { type: "all", url: "https://r.example/" });';
/** A dynamic resource of another author. */
const foreign = `
  class Note extends pulumi.dynamic.Resource {
    constructor(name, props) {
      super({
        create: async (inputs) => ({ id: "note", outs: inputs }),
        read: async (id, props) => ({ id, props }),
      }, name, props);
    }
  }
  new Note("note", { text: "hello" });`;
const program = (...parts: string[]) =>
  `const pulumi = require("@pulumi/pulumi");\nconst esign = require("pulumi-esign");\n${parts.join("\n")}`;

const starts = vi.spyOn(requireWarm("engine/plugin/node-process") as { startNode: Start }, "startNode");
afterAll(() => starts.mockRestore());
type Start = (options: { arguments: string[] }) => unknown;

/** A project, and what each of its commands starts. */
function project() {
  const home = temporaryFolder();
  beginShop(home);
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "pw" };
  return {
    home,
    begin: async () => expect(await inProcess(home, env)("stack", "init", "dev")).toMatchObject({ code: 0 }),
    write: (...parts: string[]) => writeFileSync(join(home, "index.js"), program(...parts)),
    /** As it is installed, in a process of its own, which notes what it starts. */
    async process(...args: string[]) {
      const seen = join(home, "seen");
      // Threads load it, too.
      const note = `require("node:fs").appendFileSync(${JSON.stringify(seen)}, process.argv[1] + "\\n")`;
      save(home, { seen: "", "seen.cjs": `if (require("node:worker_threads").isMainThread) ${note};\n` });
      const NODE_OPTIONS = `--require ${join(home, "seen.cjs")}`;
      const all = await esignProcess([...args, "--engine", "embedded"], { home, env: { ...env, NODE_OPTIONS } });
      expect([all.code, all.code === 0 ? "" : all.stdout + all.stderr]).toEqual([0, ""]);
      const started = readFileSync(seen, "utf8").trim().split("\n");
      return { hasHost: started.some((path) => path.includes("dynamic-provider")), processes: started.length };
    },
    async esign(...args: string[]) {
      starts.mockClear();
      const { code, output } = await inProcess(home, env)(...args, "--engine", "embedded");
      expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
      const started = starts.mock.calls.map(([options]) => options.arguments[0] ?? "");
      return { output, hasHost: started.some((path) => path.includes("dynamic-provider")), processes: started.length };
    },
  };
}

const hooks = () => service.data().accounts.flatMap(({ webhooks }) => webhooks.map(({ url }) => url));
const inState = (home: string): { type: string; inputs: object; outputs: object }[] =>
  JSON.parse(readFileSync(join(home, ".pulumi/stacks/shop/dev.json"), "utf8")).checkpoint.latest.resources;

it("no process is started for them, and none at all where no program runs", async () => {
  const { home, begin, write, esign, process } = project();
  write(hook);
  await begin();
  expect(await esign("preview")).toMatchObject({ hasHost: false, processes: 1 });
  // The command, and the program.
  expect(await process("up", "--yes", "--skip-preview")).toEqual({ hasHost: false, processes: 2 });
  const [state] = inState(home).filter(({ type }) => type.endsWith("Webhook"));
  expect(state).toMatchObject({ inputs: { __provider: expect.stringContaining("webhook;") } });
  expect(state!.outputs).toMatchObject({ __provider: expect.stringContaining("webhook;"), url: "https://r.example/" });
  expect(await esign("refresh", "--yes", "--expect-no-changes")).toMatchObject({ processes: 0 });
  expect(await esign("destroy", "--yes")).toMatchObject({ processes: 0 });
  expect(hooks()).toEqual([]);
});

it("dynamic resources of others in the same stack keep the SDK's host", async () => {
  const { begin, write, esign } = project();
  write(hook, foreign);
  await begin();
  expect(await esign("up", "--yes", "--skip-preview")).toMatchObject({
    hasHost: true,
    output: expect.stringContaining("2 created."),
  });
  expect(await esign("refresh", "--yes", "--expect-no-changes")).toMatchObject({ hasHost: true });
  write(hook);
  expect((await esign("up", "--yes", "--skip-preview")).output).toContain("1 deleted");
  expect(await esign("up", "--yes", "--expect-no-changes")).toMatchObject({ hasHost: false });
  expect(await esign("destroy", "--yes")).toMatchObject({ processes: 0, output: expect.stringContaining("1 deleted") });
  expect(hooks()).toEqual([]);
});

it("another installation of the package has a process of its own, and the same state", async () => {
  const { home, begin, write, esign, process } = project();
  const installed = join(home, "node_modules/pulumi-esign");
  rmSync(installed);
  mkdirSync(installed);
  for (const name of ["package.json", "dist"]) cpSync(join(root, name), join(installed, name), { recursive: true });
  write(hook);
  await begin();
  expect(await esign("up", "--yes", "--skip-preview")).toMatchObject({ hasHost: true });
  const other = inState(home).map(({ inputs }) => inputs);
  expect(await process("refresh", "--yes", "--expect-no-changes")).toMatchObject({ hasHost: true });
  rmSync(installed, { recursive: true });
  symlinkSync(root, installed);
  expect(await esign("up", "--yes", "--expect-no-changes")).toMatchObject({ hasHost: false });
  expect(inState(home).map(({ inputs }) => inputs)).toEqual(other);
  await esign("destroy", "--yes");
  expect(hooks()).toEqual([]);
});
