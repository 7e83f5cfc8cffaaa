/** No key is in anything that runs leave behind; `esign leaks` finds those that are. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator, Fault } from "../../emulator";
import { encodingsOf } from "../../redaction/encodings";
import { times } from "../chance";
import type { Outcome } from "../cli/esign";
import { esign } from "../cli/in-process";
import { emulatorForTest, useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { Stage } from "../provider/handlers";
import { type EngineName, hasPulumi, Program } from "../provider/programs";
import { Stack } from "./stack";
import { branding, company, email, webhook } from "./wanted";

const wanted = [branding(), email(), company(), webhook({ account: "firm" }, "inside"), webhook()];

/** Every way in which an answer can go wrong. */
const faults: Fault[] = [
  { kind: "error", code: 10010, message: "The key is not liked", method: "POST" },
  { kind: "error", code: 10004, from: 3 },
  { kind: "error", code: 10002, from: 2 },
  { kind: "error", code: 10002, status: 200, method: "POST" },
  { kind: "status", status: 500, method: "PUT" },
  { kind: "status", status: 403, body: "html" },
  { kind: "html", method: "POST" },
  { kind: "truncated", method: "PUT" },
  { kind: "empty", method: "POST" },
  { kind: "wrong-types", method: "POST" },
  { kind: "hang", method: "PUT" },
  { kind: "cut-after", method: "PUT" },
  { kind: "test", method: "POST" },
  { kind: "other-ids" },
];

const begin = async (engine: EngineName, service: Emulator) => {
  const program = new Program(engine);
  program.wanted = wanted;
  await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
  return program;
};

it.runIf(hasPulumi)("nor does the Pulumi CLI print one, with --json and with --debug", async () => {
  const service = await emulatorForTest();
  const program = await begin("pulumi", service);
  await program.operate("up", "--debug");
  await program.operate("up", "--json");
  expect(program.printed).toMatch(/RegisterResource RPC finished/);
  for (const { key } of service.data().accounts) expect(program.printed).not.toContain(key);
});

describe("nothing that is left behind holds a key", () => {
  const service = useEmulator();
  let program: Program;
  const leaks = (args: string[], env: Record<string, string> = {}): Promise<Outcome> =>
    esign(["leaks", ...args], {
      home: program.home,
      cwd: program.folder,
      env: {
        PULUMI_BACKEND_URL: `file://${join(program.home, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "correct-horse",
        ...env,
      },
    });

  beforeAll(async () => {
    program = await begin("embedded", service);
  });

  it("of whole runs: state, backups, history, all that is printed", async () => {
    process.env.NODE_DEBUG = "undici,http,net";
    // Node reads this when it starts.
    program.launch.node = [];
    try {
      await program.operate("up", "--json", "--show-sames");
      // All of its requests are sent in the same way: in new processes nightly.
      if (times === 1) program.launch = {};
      program.wanted = [...wanted.slice(0, -1), webhook({ url: "https://r.example/2" })];
      await program.operate("up", "--refresh", "--diff");
      service.configure({ faults: [{ kind: "error", code: 10004, method: "DELETE" }] });
      await program.run("destroy", "--yes", "--skip-preview", "--stack", program.stack, "--json");
      service.configure({ faults: [] });
    } finally {
      delete process.env.NODE_DEBUG;
    }
    writeFileSync(join(program.folder, "printed.log"), program.printed);
    const { code, stderr, stdout } = await leaks([]);
    expect(stdout).toBe("");
    // The partner's, the test key is not known, and the company's.
    expect(stderr).toMatch(/No leaked keys \(2 keys, \d+ files scanned\)/);
    expect(code).toBe(0);
  });

  it("of failures of every kind", async () => {
    const folder = join(program.home, "failures");
    mkdirSync(folder);
    let loud = 0;
    for (const [n, fault] of faults.entries()) {
      await service.reset();
      service.configure({ faults: [fault] });
      const stage = new Stage(service);
      const { failures, said } = await new Stack(stage).up(wanted, { timeout: "600", retries: "1" });
      // Some are healed at once.
      if (failures.length > 0) loud++;
      writeFileSync(join(folder, `${n}.txt`), [...failures, ...said].join("\n"));
      // The journal beside the program.
      cpSync(stage.directory, join(folder, String(n)), { recursive: true });
    }
    service.configure({ faults: [] });
    expect(loud).toBeGreaterThan(8);
    const { code, stdout } = await leaks([folder], {
      ESIGN_API_KEY: service.keys.partner,
      ESIGN_BASE_URL: service.url,
    });
    expect(stdout).toBe("");
    expect(code).toBe(0);
  });

  it("but what does is found, and the key is not shown", async () => {
    const encodings = encodingsOf(service.keys.partner);
    expect(new Set(encodings.map(({ kind }) => kind))).toEqual(new Set(["clear", "hex", "base64"]));
    const basic = ["", "a", "ab"].map((before) => Buffer.from(`${before}${service.keys.partner}:x`).toString("base64"));
    const lines = [
      "nothing",
      ...encodings.map(({ text }) => `x ${text} y`),
      ...basic,
      `{"a":"${service.keys.partner}"}`,
    ];
    // Over the border of what is read at once, too.
    const log = [...lines, "-".repeat(65_536 * 3 - 60), lines[1]].join("\n");
    const key = `{"a":"${service.keys.partner}"}`;
    const folder = temporaryFolder({
      "ci.log": log,
      "others/shell.log": Buffer.from(`one\ntwo ${service.keys.partner}`, "utf16le"),
      "others/state.json.gz": gzipSync(`\n\n${key}`),
      "damaged/shell.log": key,
      "damaged/state.json.gz": gzipSync("a".repeat(1000)).subarray(0, 20),
      "unread/state.json.gz": gzipSync("a".repeat(1000)).subarray(0, 20),
      "linked/file": "",
    });
    const file = join(folder, "ci.log");
    const json = await leaks([file, "--json"]);
    expect(json.code).toBe(1);
    const found = JSON.parse(json.stdout) as { file: string; line: number; encoding: string }[];
    expect(found.map(({ line }) => line)).toEqual([...lines.slice(1).map((_, i) => i + 2), lines.length + 2]);
    const people = await leaks([file]);
    expect(people.stdout).toMatch(/ci\.log:2.*: the key of stack dev, in plain text/);
    for (const { text } of encodings) expect(json.stdout + people.stdout + people.stderr).not.toContain(text);

    const others = await leaks([join(folder, "others"), "--json"]);
    expect(JSON.parse(others.stdout)).toMatchObject([{ line: 2 }, { line: 3 }]);
    const damaged = await leaks([join(folder, "damaged")]);
    expect(damaged.code).toBe(1);
    expect(damaged.stderr).toMatch(/state\.json\.gz cannot be scanned/);
    // What cannot be read does not hide what is found elsewhere, and is no clean result.
    expect(damaged.stdout).toMatch(/shell\.log:1: the key of stack dev/);
    expect((await leaks([join(folder, "unread")])).code).toBe(2);

    const linked = join(folder, "linked");
    symlinkSync(linked, join(linked, "itself"));
    symlinkSync("nowhere", join(linked, "dangling"));
    symlinkSync(file, join(linked, "file.log"));
    expect((await leaks([linked])).stdout).toMatch(/file\.log:2.*: the key of stack dev/);

    const env = { ESIGN_API_KEY: service.keys.partner };
    const piped = await esign(["leaks", "-"], { home: folder, env, input: `one\ntwo ${basic[1]}\n` });
    expect(piped.stdout).toMatch(/\(standard input\):2: the key of ESIGN_API_KEY, as base64/);
    expect(piped.code).toBe(1);
  });

  it("is looked for with the keys of configurations, too, where the states are elsewhere", async () => {
    const project = "name: shop\nruntime: nodejs\n";
    const folder = temporaryFolder({ "Pulumi.yaml": project, "a.log": `key ${service.keys.partner}` });
    const at = { home: folder, env: { PULUMI_CONFIG_PASSPHRASE: "correct-horse" } };
    await esign(["stack", "init", "dev"], at);
    await esign(["config", "set", "--secret", "esign:apiKey"], { ...at, input: service.keys.partner });
    rmSync(join(folder, ".pulumi"), { recursive: true });
    save(folder, { "Pulumi.yaml": `${project}backend:\n  url: https://states.example\n` });
    const { code, stdout, stderr } = await esign(["leaks", "--offline"], at);
    expect(stderr).toContain("the project's state is not scanned");
    expect(stdout).toBe("a.log:1: the key of stack dev, in plain text\n");
    expect(code).toBe(1);
  });

  it("is not said when there is nothing to look for or through", async () => {
    const home = temporaryFolder({ "a.log": "text" });
    const keyless = await esign(["leaks", "a.log"], { home });
    expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining("no key to search for") });
    const nowhere = await esign(["leaks"], { home, env: { ESIGN_API_KEY: "some-key" } });
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing to scan") });
  });
});
