/**
 * What the provider instances of one run cost one another, in the process of the engine: the CPU of a resource's check among many, against
 * one among few. Each resource asks which other instance declares its object.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resourceArg } from "../../provider/core/hidden-argument";
import { createHandlers } from "../../provider/dynamic/handlers";
import { Session } from "../../provider/session/session";

const few = 50;
const many = Number(process.env.INSTANCES ?? 400);
const resources = 5;
/** It grew with their number: at 200 instances a check was three milliseconds. */
const limit = 2;

const settings: Record<string, string> = {
  "esign:apiKey": "0123456789abcdef0123456789abcdef",
  "esign:baseUrl": "http://127.0.0.1:9",
};

/** Milliseconds of CPU of each check, where so many instances have five resources each. */
async function costOfCheck(instances: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "esign-bench-"));
  const run = `127.0.0.1:${instances}`;
  const sessions: Session[] = [];
  const before = process.cpuUsage();
  for (let at = 0; at < instances; at++) {
    const session = new Session({
      directory: folder,
      environment: {},
      engine: run,
      temporary: folder,
      log: () => undefined,
    });
    sessions.push(session);
    const { webhook } = createHandlers(session);
    void webhook.configure({ config: { get: (key) => settings[key] } });
    for (let number = 0; number < resources; number++) {
      const name = `hook-${at}-${number}`;
      const urn = `urn:pulumi:dev::bench::pulumi-nodejs:dynamic:Resource$Webhook::${name}`;
      const args = { type: "all", url: `https://r.example/${name}`, [resourceArg]: { urn, secrets: [], declared: 0 } };
      const { failures } = await webhook.check({}, args);
      if (failures.length > 0) throw new Error(failures[0]!.reason);
    }
  }
  const { user, system } = process.cpuUsage(before);
  for (const session of sessions) session.close();
  rmSync(folder, { recursive: true });
  return (user + system) / 1000 / (instances * resources);
}

async function main(): Promise<void> {
  // While the first are checked, code is still compiled.
  await costOfCheck(few);
  const [small, large] = [await costOfCheck(few), await costOfCheck(many)];
  const ratio = large / small;
  console.log(
    `${ratio > limit ? "✗" : "✓"} CPU of a check among ${many} provider instances (${large.toFixed(3)} ms), against one among ${few}: ` +
      `${ratio.toFixed(2)} times (at most ${limit})`,
  );
  process.exitCode = ratio > limit ? 1 : 0;
}

void main();
