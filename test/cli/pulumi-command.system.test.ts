/** What is made of an engine's output, its event log, and its end. The engine is a script that does as its stack's name says. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PulumiCommand } from "../../cli/engine/pulumi-command";
import { temporaryFolder } from "../files";

const folder = temporaryFolder();
const script = join(folder, "pulumi");
writeFileSync(
  script,
  `#!${process.execPath}
const { appendFileSync, fstatSync, readFileSync, watch } = require("node:fs");
const after = (name) => process.argv[process.argv.indexOf(name) + 1];
const log = (text) => appendFileSync(after("--event-log"), text);
const end = (code, error) => { process.stderr.write(error); process.exitCode = code; };
const stacks = {
  fine: () => console.log(JSON.stringify({ input: readFileSync(0, "utf8"), setting: process.env.SETTING, folder: process.cwd() })),
  failed: () => { log('{"summaryEvent":{}}\\n'); end(255, "error: no such company\\nhint\\nerror: no such company\\n"); },
  locked: () => end(255, "error: the stack is currently locked by 1 lock(s)\\n"),
  killed: () => { log('{"summaryEvent":{}}\\n{"diagn'); process.kill(process.pid, "SIGKILL"); },
  silent: () => end(1, ""),
  answered: () => {
    watch(process.cwd(), (_, name) => name === "answer" && process.exit(0));
    log('{"summaryEvent":{}}\\n');
    setTimeout(() => { end(1, "error: no answer\\n"); process.exit(); }, 20_000);
  },
  disk: () => end(process.argv.includes("--event-log") && fstatSync(1).isFile() ? 0 : 1, fstatSync(1).isFile() ? "error: a file" : "error: a pipe"),
};
stacks[after("--stack")]();
`,
  { mode: 0o755 },
);
const command = new PulumiCommand(script, folder, {
  ...process.env,
  SETTING: "set",
});

it("a command gets the settings and a value through standard input, and its output is the answer", async () => {
  const output = await command.output(["config", "set", "key", "--stack", "fine"], "hush-hush");
  expect(JSON.parse(output)).toEqual({ input: "hush-hush", setting: "set", folder });
});

it.each([
  ["failed", "no such company", false, 1],
  ["locked", "the stack is currently locked by 1 lock(s)", true, 0],
  ["killed", "ended by SIGKILL", false, 1],
  ["silent", "failed without a message", false, 0],
])("an operation that is %s is reported with the engine's message, and has the events up to there", async (...row) => {
  const [stack, message, isLocked, events] = row;
  const logged: object[] = [];
  const error = await command.run(["up", "--stack", stack], { onEvent: (event) => logged.push(event) });
  expect(error).toMatchObject({ name: "OperationError", message, isLocked });
  expect(logged).toEqual(Array(events).fill({ summaryEvent: {} }));
});

it("an event is read when it is written: here the operation ends when it is answered", async () => {
  const onEvent = () => writeFileSync(join(folder, "answer"), "");
  expect(await command.run(["up", "--stack", "answered"], { onEvent })).toBeUndefined();
});

it("what is asked for never is on the disk: it may be a state with its secrets; what an operation says outlives esign", async () => {
  await expect(command.output(["stack", "export", "--stack", "disk"])).rejects.toThrow("a pipe");
  expect(await command.run(["up", "--stack", "disk"], { onEvent: () => undefined })).toBeUndefined();
});

it("an engine that cannot be started is an error, too", async () => {
  const gone = new PulumiCommand(join(folder, "gone"), folder, {});
  await expect(gone.output(["stack", "ls"])).rejects.toThrow("ENOENT");
});
