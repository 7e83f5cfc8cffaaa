/** The service's file, with other processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { temporaryFolder } from "../files";
import { ask, type Body } from "./ask";
import { emulatorForTest } from "./use-emulator";

const program = `
  const { start } = require(${JSON.stringify(join(__dirname, "../../dist/emulator/index.js"))});
  start({ file: process.argv[1] }).then((service) => console.log(JSON.stringify({ url: service.url, keys: service.keys })));
`;

/** A process with an emulator on the file; it goes with the test. */
function spawnEmulator(file: string) {
  const child = spawn(process.execPath, ["-e", program, file], { stdio: ["ignore", "pipe", "ignore"] });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const running = once(child.stdout, "data").then(
    ([line]) => JSON.parse(String(line)) as Pick<Emulator, "url" | "keys">,
  );
  return { child, kill, running };
}

test("a lock that a dead process left counts for nothing, also when two find it at once; remains of its writing go", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "service.json");
  await (await start({ file })).close();
  // Process numbers end far below this one.
  writeFileSync(`${file}.lock`, '{"pid":99999999}');
  writeFileSync(`${file}.0123456789ab.tmp`, '{"vers');
  const { child, kill, running } = spawnEmulator(file);
  const ended = once(child, "exit").then(() => "refused");
  const ours = start({ file }).then(
    (service) => service.close().then(() => "running"),
    () => "refused",
  );
  const outcome = await Promise.race([running.then(() => "running"), ended]);
  expect([outcome, await ours]).toContain("running");
  expect(readdirSync(folder).filter((name) => name !== "service.json.lock")).toEqual(["service.json"]);
  await kill();
  await emulatorForTest({ file });
});

test("what was acknowledged outlives SIGKILL at any moment", async () => {
  const file = join(temporaryFolder(), "service.json");
  const acknowledged: string[] = [];
  for (const patience of [5, 40, 90]) {
    const { running, kill } = spawnEmulator(file);
    const service = await running;
    let killed = false;
    const worker = async () => {
      const form = { webhook_type: "all", webhook_url: "https://example.com/1" };
      while (!killed) {
        const answer = await ask(service)("POST", "/v1/webhooks", form).catch(() => undefined);
        if (answer?.status === 200) acknowledged.push((answer.body as Body).webhook_id);
      }
    };
    const workers = Array.from({ length: 8 }, worker);
    while (acknowledged.length < patience) await new Promise((resolve) => setTimeout(resolve, 1));
    const end = kill();
    killed = true;
    await end;
    await Promise.all(workers);
    const ids = JSON.parse(readFileSync(file, "utf8")).accounts[0].webhooks.map(({ id }: Body) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
  }
  expect(acknowledged.length).toBeGreaterThan(80);
  const { accounts } = (await emulatorForTest({ file })).data();
  expect(accounts[0]!.webhooks.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
});
