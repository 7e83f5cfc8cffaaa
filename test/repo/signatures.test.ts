/** Pulumi's signatures are written in one file: elsewhere they are imported. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { SIG_KEY, SignatureKind, UNKNOWN } from "../../engine/resource/signatures";

const root = resolve(__dirname, "../..");
const rooms: string[] = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")).include;
const files = rooms
  .flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((name) => join(room, name)),
  )
  .filter((name) => name.endsWith(".ts") && !name.startsWith(join("engine", "test")));

it.each([UNKNOWN, SIG_KEY, ...Object.values(SignatureKind)])("%s", (signature) => {
  expect(files.length).toBeGreaterThan(700);
  expect(files.filter((file) => readFileSync(join(root, file), "utf8").includes(signature))).toEqual([
    "engine/resource/signatures.ts",
  ]);
});
