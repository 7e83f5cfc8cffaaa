import { spawn } from "node:child_process";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { lock } from "../../fs/file-lock";
import { currentProcess } from "../../fs/process-identity";
import { root } from "../cli/esign";
import { temporaryFolder } from "../files";

const refused = (pid: number | undefined, path: string) => new Error(`held by ${pid} in ${path}`);

/** Takes the lock in each round at the same moment as all others, and reports who else has it. */
const contender = (file: string, rounds: number) => `
  const { rmSync, writeFileSync } = require("node:fs");
  const { lock } = require(${JSON.stringify(join(root, "dist/.modules/fs/file-lock.js"))});
  const file = ${JSON.stringify(file)};
  let held = 0;
  process.stdin.once("data", () => {
    for (let round = 0; round < ${rounds}; round++) {
      let unlock;
      try {
        unlock = lock(file, () => new Error("held"));
      } catch (error) {
        if (error.message !== "held") throw error;
        continue;
      }
      held++;
      writeFileSync(file, String(process.pid), { flag: "wx" });
      rmSync(file);
      // What a killed process leaves, for all others to replace.
      if (round % 3 === 0) writeFileSync(file + ".lock", '{"pid":99999999}');
      else unlock();
    }
    console.log(held);
    process.exit();
  });
  console.log("ready");`;

it("no two processes hold it at once, whether it is free or one that a dead process left", async () => {
  const file = join(temporaryFolder(), "data");
  const contenders = [1, 2, 3].map(() => spawn(process.execPath, ["-e", contender(file, 400)]));
  await Promise.all(contenders.map(({ stdout }) => new Promise((ready) => stdout.once("data", ready))));
  const reports = contenders.map(async ({ stdin, stdout, stderr }) => {
    const [said, errors] = [text(stdout), text(stderr)];
    stdin.write("go");
    return { held: Number(await said), errors: await errors };
  });
  for (const { held, errors } of await Promise.all(reports)) {
    expect(errors).toBe("");
    expect(held).toBeGreaterThan(0);
  }
});

it("a lock is replaced when its process has ended, or when it is empty and surely not being written", () => {
  const folder = temporaryFolder();
  const file = join(folder, "data");
  const path = `${file}.lock`;
  const long = new Date(Date.now() - 2 * 60_000);

  writeFileSync(path, "");
  expect(() => lock(file, refused)).toThrow(`held by undefined in ${path}`);
  utimesSync(path, long, long);
  lock(file, refused)();

  writeFileSync(path, '{"pid":99999999}');
  lock(file, refused)();

  for (const holder of [{ pid: process.ppid }, currentProcess()]) {
    writeFileSync(path, JSON.stringify(holder));
    expect(() => lock(file, refused)).toThrow(`held by ${holder.pid} in ${path}`);
  }
  expect(readdirSync(folder)).toEqual(["data.lock"]);
});

it("a lock that another process is replacing counts as held", () => {
  const file = join(temporaryFolder(), "data");
  writeFileSync(`${file}.lock`, '{"pid":99999999}');
  writeFileSync(`${file}.lock.replace`, JSON.stringify({ pid: process.ppid }));
  expect(() => lock(file, refused)).toThrow(`held by ${process.ppid} in ${file}.lock.replace`);
});

it("is released once: after that it may be another one's", () => {
  const file = join(temporaryFolder(), "data");
  const unlock = lock(file, refused);
  expect(() => lock(file, refused)).toThrow(`held by ${process.pid}`);
  unlock();
  lock(file, refused);
  unlock();
  expect(existsSync(`${file}.lock`)).toBe(true);
});
