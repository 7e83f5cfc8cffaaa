/**
 * What people and programs see of a deployment is the same on both engines. Where the Pulumi CLI is not
 * installed, the built-in engine's own command is in its place, which takes the CLI's arguments and writes its event log.
 */
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { times } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { bareEnv, beginShop, root, withSharedKeys } from "./esign";
import { esign as command } from "./in-process";

const program = `
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const step = Number(process.env.STEP);
console.log("the program runs");
if (step === 1) console.error("on stderr");
const company = new esign.Company("c", { name: "Acme", userName: "Ann", userEmail: "ann@example.com", email: "office@example.com", deletionProtection: false });
new esign.Branding("b", { account: company, colour: step === 1 ? "#0B7285" : "#AA0011" });
if (step < 3) new esign.Webhook("gone", { account: company, type: "signed-envelope", url: "https://h.example.com/signed" });
const w = new esign.Webhook("w", { account: company, type: "all", url: "https://h.example.com/" + step }, { protect: step === 2 });
if (step === 2) pulumi.log.warn("to be looked at", w);
if (step === 4) throw new Error("the program fails");
exports.step = step;
exports.key = company.apiKey;
exports.parts = [{ colour: step }];
`;

const pulumi =
  findPulumi() ?? `"${[process.execPath, ...withSharedKeys, join(root, "dist/cli/automation/main.js")].join('" "')}"`;
const engines = (["embedded", "pulumi"] as const).map((name) => ({
  name,
  home: temporaryFolder(),
  service: useEmulator(),
}));

beforeAll(async () => {
  for (const { home } of engines) {
    beginShop(home);
    save(home, { "index.js": program, "bin/pulumi": `#!/bin/sh\nexec ${pulumi} "$@"\n` });
    chmodSync(join(home, "bin/pulumi"), 0o755);
    const env = { PULUMI_CONFIG_PASSPHRASE: "words" };
    expect((await command(["stack", "init", "dev"], { home, env })).code).toBe(0);
  }
});

/** Without what differs from run to run and between two accounts. */
const settled = (text: string, home: string): string =>
  text
    .replaceAll(home, "HOME")
    .replaceAll(/^.*warm-process.*\n/gm, "")
    .replaceAll(/^\{.*\}$/gm, sorted)
    .replaceAll(/ +\(asked for\)/g, "")
    .replaceAll(/ \((\d+m)?\d+(\.\d+)?s\)/g, "")
    .replaceAll(/"(durationMs|elapsedMs|stateWrites|waited)":[\d.]+,?/g, "")
    .replaceAll(/"(sdkVersion|sdkTested)":"[^"]*",?/g, "")
    .replaceAll(/\b\d{6,}\b/g, "ID")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "URL")
    .replaceAll(/key [0-9a-f]{4}…[0-9a-f]{4}/g, "KEY")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:+]+/g, "TIME")
    .replaceAll(/Pulumi CLI|built-in engine/g, "ENGINE");

/** An event of `--json`, whose members may be in any order. An ID is in it when the operation has ended. */
function sorted(line: string): string {
  const { elapsedMs: _, ...event } = JSON.parse(line);
  if (event.status === "started") delete event.step.id;
  delete event.step?.reason;
  return JSON.stringify(event, (__, value) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );
}

/** A line after each twenty seconds, and one of a response that takes its time: only a busy machine has them. */
const reminder = /^\s*… .*, \d+ running, |"ephemeral":true/;

/** What either engine shows; the order of what runs side by side is chance. */
async function bothOf(step: number, ...args: string[]) {
  const [builtIn, cli] = await Promise.all(
    engines.map(async ({ name, home, service }) => {
      const env = {
        PATH: `${join(home, "bin")}${delimiter}${bareEnv(home).PATH}`,
        ESIGN_BASE_URL: service.url,
        ESIGN_API_KEY: service.keys.partner,
        PULUMI_CONFIG_PASSPHRASE: "words",
        STEP: String(step),
      };
      const { code, stdout, stderr } = await command([...args, "--engine", name, "--stack", "dev"], { home, env });
      const errors = stderr.split("\n").filter((line) => !line.startsWith("Engine: "));
      const output = stdout.split("\n").filter((line) => !reminder.test(line));
      const lines = [output, errors].flatMap((each) => settled(each.join("\n"), home).split("\n"));
      return { code, lines: lines.sort() };
    }),
  );
  return { builtIn: builtIn!, cli: cli! };
}

/** With the preview of an operation once: it takes a process of either engine, and one of the program. */
const rows: [step: number, args: string[], code: number, when?: "nightly"][] = [
  [1, ["preview", "--json"], 0, "nightly"],
  [1, ["up", "--yes", "-c", "text=a\r\n\n"], 0],
  [1, ["up", "--yes", "--skip-preview", "--expect-no-changes"], 0, "nightly"],
  [2, ["preview", "--diff", "--show-sames", "--target", "**::b", "--expect-no-writes"], 7],
  [2, ["up", "--yes", "--skip-preview", "--refresh", "--replace", "**::gone"], 0],
  [3, ["preview", "--replace", "**::w"], 0, "nightly"],
  [3, ["up", "--yes", "--skip-preview", "--json"], 0],
  [4, ["preview", "--expect-no-changes"], 1],
  [3, ["refresh", "--yes", "--skip-preview"], 0],
  [3, ["destroy", "--yes", "--exclude", "**::w", "--preview-only"], 0, "nightly"],
  [3, ["destroy", "--yes"], 0],
];
const today = rows.filter(([, , , when]) => when === undefined || times > 1);

it.each(today)("program %i: %j ends with %i and looks the same with either engine", async (step, args, code) => {
  const { builtIn, cli } = await bothOf(step, ...args);
  expect(builtIn.lines.join("\n")).not.toBe("");
  expect(cli).toEqual(builtIn);
  expect(cli.code).toBe(code);
});

it("-c has set the value as it is with either engine", async () => {
  for (const { home } of engines) {
    const { stdout } = await command(["config", "get", "text", "--json", "--stack", "dev"], { home });
    expect(JSON.parse(stdout)).toMatchObject({ value: "a\r\n\n" });
  }
});
