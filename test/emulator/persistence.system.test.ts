/** The service's file, with other processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Emulator, type Options, start } from "../../emulator";
import { temporaryFolder } from "../files";
import { ask, type Body } from "./ask";

let folder: string;
let file: string;
const open: Emulator[] = [];
const run = async (options: Options = {}) => {
  const service = await start({ file, ...options });
  open.push(service);
  return service;
};
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "service.json");
});
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

const bytes = () => readFileSync(file, "utf8");
const hook = (i: number) => ({ webhook_type: "all", webhook_url: `https://example.com/${i}` });

test("a lock that a dead process left counts for nothing, also when two find it at once; remains of its writing go", async () => {
  await (await run()).close();
  // Process numbers end far below this one.
  writeFileSync(`${file}.lock`, "99999999\n");
  writeFileSync(`${file}.0123456789ab.tmp`, '{"vers');
  const child = spawn(process.execPath, ["-e", program, file], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  try {
    const ours = start({ file });
    const theirs = once(child.stdout, "data").then(() => "running");
    const outcome = await Promise.race([theirs, ended.then(() => "refused")]);
    const own = await ours.then(
      (service) => service.close().then(() => "running"),
      () => "refused",
    );
    expect([outcome, own].sort()).not.toEqual(["refused", "refused"]);
    expect(readdirSync(folder).filter((name) => name !== "service.json.lock")).toEqual(["service.json"]);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  await run();
});

const program = `
  const { start } = require(${JSON.stringify(join(__dirname, "../../dist/emulator/index.js"))});
  start({ file: process.argv[1] }).then((service) => console.log(JSON.stringify({ url: service.url, keys: service.keys })));
`;

test("what was acknowledged outlives SIGKILL at any moment", async () => {
  const children: ChildProcess[] = [];
  try {
    const acknowledged: string[] = [];
    for (const patience of [5, 40, 90]) {
      const child = spawn(process.execPath, ["-e", program, file], { stdio: ["ignore", "pipe", "inherit"] });
      children.push(child);
      const [line] = (await once(child.stdout!, "data")) as [Buffer];
      const service = JSON.parse(line.toString()) as Pick<Emulator, "url" | "keys">;
      const ids = (JSON.parse(bytes()).accounts[0].webhooks as { id: string }[]).map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      let killed = false;
      const worker = async () => {
        while (!killed) {
          const answer = await ask(service)("POST", "/v1/webhooks", hook(1)).catch(() => undefined);
          if (answer?.status === 200) acknowledged.push((answer.body as Body).webhook_id);
        }
      };
      const workers = Array.from({ length: 8 }, worker);
      while (acknowledged.length < patience) await new Promise((resolve) => setTimeout(resolve, 1));
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      killed = true;
      await ended;
      await Promise.all(workers);
    }
    const service = await run();
    const stored = service.data().accounts[0]!.webhooks.map(({ id }) => id);
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    expect(acknowledged.length).toBeGreaterThan(80);
    expect(existsSync(file)).toBe(true);
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
});
