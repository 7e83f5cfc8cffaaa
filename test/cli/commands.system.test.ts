/**
 * Every command on a stack, one after the other on one project: exit code, what it says, and the state it leaves. On the
 * built-in engine always, in this process; where the Pulumi CLI is on PATH also on that, and then the states must be the same
 * after each command.
 */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { save, temporaryFolder } from "../files";
import { bareEnv, esignProcess, linkPackages, type Outcome } from "./esign";
import { esign } from "./in-process";

const pulumi = findPulumi();
const folder = temporaryFolder();

/** Resources whose provider keeps nothing. */
const files: Record<string, string> = {
  "Pulumi.yaml": "name: shop\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": '{ "main": "index.js" }',
  "provider.js": `
    exports.thing = {
      check: async (olds, news) => ({ inputs: news, failures: [] }),
      diff: async (id, olds, news) => ({ changes: olds.size !== news.size || olds.of !== news.of }),
      create: async (news) => ({ id: news.name, outs: { ...news, token: "t-" + news.name } }),
      read: async (id, props) => ({ id, props: { ...props, size: Number(process.env.DRIFT ?? props.size) } }),
      update: async (id, olds, news) => ({ outs: { ...news, token: "t-" + news.name } }),
      delete: async () => {},
    };`,
  "index.js": `
    const pulumi = require("@pulumi/pulumi");
    class Thing extends pulumi.CustomResource {
      constructor(name, args, opts) {
        const code = 'exports.handler = () => require("./provider").thing;';
        super("pulumi-nodejs:dynamic/test:Thing", name, { name, token: undefined, ...args, __provider: code }, opts);
      }
    }
    const { SIZE = "1", PROTECT, NAME = "b" } = process.env;
    const a = new Thing("a", { size: Number(SIZE) });
    const b = new Thing(NAME, { size: Number(SIZE), of: a.token }, { protect: PROTECT === "b" });
    new Thing("c", { size: Number(SIZE) });
    exports.text = "with  two spaces";
    exports.long = "x".repeat(300);
    exports.lines = "one\\ntwo";
    exports.number = 1.5;
    exports.no = false;
    exports.list = [1, "two", { three: null }];
    exports.object = { token: b.token, list: [] };
    exports.nothing = null;
    exports.missing = undefined;
    // A state with secrets costs each command that reads it a key.
    if (process.env.HIDDEN) {
      exports.hidden = pulumi.secret("s3cret");
      exports.partly = { open: 1, hidden: pulumi.secret("s3cret") };
    }
    exports.thing = a.urn;`,
};

type Engine = "embedded" | "pulumi";
type Env = Record<string, string>;

class Project {
  readonly dir: string;
  constructor(readonly engine: Engine) {
    this.dir = join(folder, engine);
    linkPackages(this.dir);
    save(this.dir, files);
  }

  esign({ run, env, ...options }: Row): Promise<Outcome> {
    const line = (typeof run === "string" ? run.split(" ") : run).map((arg) => arg.replace("{dir}", this.dir));
    const end = line.includes("--") ? line.indexOf("--") : line.length;
    const args = line.toSpliced(end, 0, "--engine", this.engine);
    const settings = {
      PULUMI_BACKEND_URL: `file://${this.dir}`,
      PULUMI_HOME: join(this.dir, "home"),
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    };
    if (this.engine === "embedded") return esign(args, { home: this.dir, env: { ...settings, ...env }, ...options });
    const PATH = `${dirname(pulumi!)}${delimiter}${bareEnv(this.dir).PATH}`;
    return esignProcess(args, { home: this.dir, env: { ...settings, ...env, PATH }, ...options });
  }

  /** What can be compared of the state: without times, ids of providers, positions and ciphertexts. */
  state(stack: string): unknown {
    const file = join(this.dir, `.pulumi/stacks/shop/${stack}.json`);
    if (!existsSync(file)) return undefined;
    const { version, features, checkpoint } = JSON.parse(readFileSync(file, "utf8"));
    const { resources = [], pending_operations: pending } = checkpoint.latest ?? {};
    const plain = resources.map(
      ({ created, modified, sourcePosition, stackTrace, ...r }: Record<string, unknown>) => r,
    );
    const masked = JSON.parse(
      JSON.stringify({ plain, pending })
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
        .replace(/"ciphertext":"[^"]*"/g, '"ciphertext":"…"'),
    );
    masked.plain.sort((x: { urn: string }, y: { urn: string }) => (x.urn < y.urn ? -1 : 1));
    return { version, features, ...masked };
  }

  /** The names of the resources, with their marks. */
  names(stack: string): string {
    const state = this.state(stack) as { plain: Record<string, unknown>[] } | undefined;
    return (state?.plain ?? [])
      .filter((r) => String(r.type).startsWith("pulumi-nodejs:dynamic"))
      .map((r) => `${String(r.urn).split("::").at(-1)}${r.protect ? "!" : ""}${r.taint ? "*" : ""}`)
      .join(" ");
  }
}

const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/test:Thing::${name}`;
/** Without asking and without a preview. */
const now = (line: string) => line.replace(/^\w+/, "$& --yes --skip-preview");

interface Row {
  /** The line, or its words where one has a space. */
  run: string | string[];
  env?: Env;
  input?: string;
  /** The exit code: one, or that of each engine where they differ by decision. */
  code?: number | Record<Engine, number>;
  /** Must be in what is said, on either stream; whatever else the words are. By engine where they differ. */
  says?: RegExp[] | Record<Engine, RegExp[]>;
  /** What stdout is, exactly. */
  prints?: string;
  /** What stdout is as JSON. */
  json?: unknown;
  /** The resources in the state of `dev` afterwards: `name`, `name!` protected, `name*` tainted. */
  leaves?: string;
}

const outputs = {
  text: "with  two spaces",
  long: "x".repeat(300),
  lines: "one\ntwo",
  number: 1.5,
  no: false,
  list: [1, "two", { three: null }],
  object: { token: "t-b", list: [] },
  nothing: null,
  hidden: "[secret]",
  partly: { open: 1, hidden: "[secret]" },
  thing: urn("a"),
};

const refused = { embedded: 2, pulumi: 1 };
const table: Row[] = [
  // Stacks.
  { run: "up --yes", code: 6 },
  { run: "stack init dev" },
  { run: "stack init dev", code: refused, says: [/already/] },
  { run: ["stack", "init", "a b"], code: refused },
  { run: "stack init other" },
  { run: "stack ls", says: [/^other\*/m, /^dev /m] },
  { run: "stack select nowhere", code: 6 },
  { run: "stack select dev" },
  { run: "stack rm other --yes" },
  // The CLI forgets which one was selected when any is removed.
  { run: "stack select dev" },
  { run: "stack ls --json", json: [expect.objectContaining({ name: "dev", current: true, resourceCount: 0 })] },
  { run: "stack output --json", json: {} },
  { run: "stack history --json", json: [] },

  // Configuration.
  { run: "config set colour blue" },
  { run: "config set colour -- -5" },
  { run: "config get colour", prints: "-5\n" },
  { run: "config set --secret hush", input: "s3cret\n" },
  { run: "config get hush", prints: "s3cret\n" },
  { run: "config set --plaintext apiToken open" },
  { run: "config set --path data.list[0] 12" },
  { run: "config set --path data.on true" },
  { run: "config set --path data.list[5] x", code: refused },
  { run: "config get --path data.list[0]", prints: "12\n" },
  {
    run: "config ls --json",
    json: {
      "shop:apiToken": { value: "open", secret: false },
      "shop:colour": { value: "-5", secret: false },
      "shop:data": { value: '{"list":[12],"on":true}', objectValue: { list: [12], on: true }, secret: false },
      "shop:hush": { secret: true },
    },
  },
  { run: "config rm apiToken" },
  { run: "config rm --path data.on" },
  { run: "config get apiToken", code: refused },
  { run: "config get --path data.on", code: refused },
  { run: "config rm data" },
  { run: "config rm hush" },

  // Operations.
  { run: now("up --parallel 1"), says: [/3 created/], leaves: "a b c" },
  {
    run: "preview --diff --expect-no-changes",
    env: { SIZE: "2" },
    code: 7,
    says: [/size *: 1 (=>|→) 2/, /3 to update/],
  },
  { run: `preview --target-replace ${urn("c")}`, env: { SIZE: "2" }, says: [/1 (to replace|replaced)/] },
  { run: now(`up --target-replace ${urn("c")}`), env: { SIZE: "2" }, says: [/1 replaced/] },
  { run: now("up --refresh"), env: { DRIFT: "7" }, says: [/3 updated/], leaves: "a b c" },
  { run: now("up --nonsense"), code: 2 },
  { run: now("up"), env: { PROTECT: "b" }, says: [/[234] unchanged/], leaves: "a b! c" },

  // Single resources of the state.
  { run: `state rename ${urn("b")} a --yes`, code: refused },
  { run: `state rename ${urn("missing")} z --yes`, code: refused },
  { run: `state rename ${urn("a")} first --yes`, leaves: "b! c first" },
  { run: `state rename ${urn("first")} a --yes`, leaves: "a b! c" },
  { run: `state rename ${urn("b")} second --yes`, leaves: "a c second!" },
  { run: "preview --expect-no-changes", env: { NAME: "second" } },
  { run: `state rename ${urn("second")} b --yes`, leaves: "a b! c" },
  { run: `state delete ${urn("b")} --yes`, code: refused, leaves: "a b! c" },
  { run: now("up --exclude-protected"), code: 2 },
  { run: now(`destroy --exclude-protected --target ${urn("c")}`), code: refused, leaves: "a b! c" },
  { run: now("destroy --exclude-protected"), says: { embedded: [/protected/], pulumi: [/1 deleted/] }, leaves: "a b!" },
  // Nothing is left to do.
  {
    run: now("destroy --exclude-protected"),
    says: { embedded: [/protected/], pulumi: [/No changes/] },
    leaves: "a b!",
  },
  { run: now("destroy"), code: 1, says: [/protect/], leaves: "a b!" },
  { run: `state unprotect ${urn("b")} --yes`, leaves: "a b" },
  { run: `state protect ${urn("a")} --yes`, leaves: "a! b" },
  { run: "state unprotect --all --yes", leaves: "a b" },
  { run: `state taint ${urn("b")} --yes`, leaves: "a b*" },
  { run: `state untaint ${urn("b")} --yes`, leaves: "a b" },
  { run: `state delete ${urn("a")} --yes`, code: refused, leaves: "a b" },
  { run: `state delete ${urn("b")} --yes`, leaves: "a" },

  // The state as a whole.
  { run: "stack export --file {dir}/state.json" },
  { run: "stack import --file {dir}/state.json", leaves: "a" },
  { run: "stack import --file {dir}/nothing.json", code: refused, leaves: "a" },
  // Outputs of every type.
  { run: now("up"), env: { HIDDEN: "1" }, leaves: "a b c" },
  { run: "stack output --json", json: outputs },
  {
    run: "stack output --json --show-secrets",
    json: { ...outputs, hidden: "s3cret", partly: { open: 1, hidden: "s3cret" } },
  },
  { run: "stack output", says: [/^ *text +with {2}two spaces$/m, /^ *long +x{300}$/m, /^ *hidden +\[secret\]$/m] },
  { run: "stack output text", prints: "with  two spaces\n" },
  { run: "stack output lines", prints: "one\ntwo\n" },
  { run: "stack output number", prints: "1.5\n" },
  { run: "stack output no", prints: "false\n" },
  { run: "stack output list", prints: '[1,"two",{"three":null}]\n' },
  { run: "stack output hidden", prints: "[secret]\n" },
  { run: "stack output hidden --show-secrets", prints: "s3cret\n" },
  { run: "stack output text --json", prints: '"with  two spaces"\n' },
  { run: "stack output missing", code: refused },

  // The end.
  { run: "stack rename prod" },
  { run: "stack ls --json", json: [expect.objectContaining({ name: "prod", current: true })] },
  { run: "config get colour", prints: "-5\n" },
  { run: "stack rename dev" },
  { run: "cancel --yes" },
  { run: "stack rm dev --yes", code: refused },
  { run: now("destroy"), leaves: "" },
  { run: "stack rm dev --yes" },
  { run: "stack ls --json", json: [] },
];

describe("every command of a stack", { sequential: true }, () => {
  const engines: Engine[] = pulumi === undefined ? ["embedded"] : ["embedded", "pulumi"];
  let projects: Project[];
  beforeAll(() => {
    projects = engines.map((engine) => new Project(engine));
  });

  for (const [i, row] of table.entries()) {
    const name = `${String(i + 1).padStart(3, "0")} esign ${row.run} ${row.env ? JSON.stringify(row.env) : ""}`;
    it(name, async () => {
      for (const project of projects) {
        const { engine } = project;
        const outcome = await project.esign(row);
        const said = `${engine}: ${outcome.stdout}${outcome.stderr}`;
        const code = typeof row.code === "object" ? row.code[engine] : (row.code ?? 0);
        expect(outcome.code, said).toBe(code);
        const { says = [] } = row;
        for (const words of Array.isArray(says) ? says : says[engine]) expect(said).toMatch(words);
        if (row.prints !== undefined) expect(outcome.stdout, said).toBe(row.prints);
        if (row.json !== undefined) expect(JSON.parse(outcome.stdout), said).toEqual(row.json);
        if (row.leaves !== undefined) expect(project.names("dev"), said).toBe(row.leaves);
      }
      if (projects.length === 1) return;
      const [ours, theirs] = projects.map((project) => project.state("dev"));
      expect(ours).toEqual(theirs);
    });
  }
});
