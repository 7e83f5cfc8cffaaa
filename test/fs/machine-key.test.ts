/** What is kept beside a program says nothing without the key of the machine. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keyedHash, seal, unseal } from "../../fs/machine-key";
import { temporaryFolder } from "../files";

function withEnv(values: Record<string, string | undefined>): void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(values)) set(name, value);
  onTestFinished(() => {
    for (const [name, value] of before) set(name, value);
  });
}

test("a key is made once, for its owner alone, and opens what it has closed, at its place", () => {
  const home = temporaryFolder();
  withEnv({ XDG_STATE_HOME: home, ESIGN_MACHINE_KEY: undefined });
  const sealed = seal("a.json", "1234");
  expect(sealed).not.toContain(Buffer.from("1234").toString("base64").slice(0, 4));
  const file = join(home, "pulumi-esign/machine-key");
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8").trim().length).toBeGreaterThan(40);
  const damaged = Buffer.from(sealed, "base64");
  damaged[damaged.length - 1]! ^= 1;
  expect([
    unseal("a.json", sealed),
    unseal("b.json", sealed),
    unseal("a.json", damaged.toString("base64")),
    unseal("a.json", ""),
  ]).toEqual(["1234", undefined, undefined, undefined]);
  expect(seal("a.json", "1234")).not.toBe(sealed);
});

test("hashes of the same text are the same on a machine, and on machines with the same ESIGN_MACHINE_KEY only", () => {
  const hashes = (key: string | undefined, home = temporaryFolder()) => {
    withEnv({ XDG_STATE_HOME: home, ESIGN_MACHINE_KEY: key });
    return [keyedHash("drift", "1234"), keyedHash("fleet", "1234")];
  };
  const home = temporaryFolder();
  const all = [hashes(undefined, home), hashes(undefined), hashes("k".repeat(32)), hashes("l".repeat(32))].flat();
  expect(new Set(all).size).toBe(8);
  expect(hashes(undefined, home)).toEqual(all.slice(0, 2));
  expect(hashes("k".repeat(32))).toEqual(all.slice(4, 6));
});

test("a key that is damaged, short or cannot be kept is an error, and none is made in its place", () => {
  const home = temporaryFolder();
  withEnv({ XDG_STATE_HOME: home, ESIGN_MACHINE_KEY: undefined });
  keyedHash("a", "b");
  const other = temporaryFolder();
  writeFileSync(join(other, "pulumi-esign"), "");
  withEnv({ XDG_STATE_HOME: other });
  expect(() => keyedHash("a", "b")).toThrow(/cannot be read or written \(E/);
  withEnv({ ESIGN_MACHINE_KEY: "short" });
  expect(() => keyedHash("a", "b")).toThrow("at least 32 characters");
});
