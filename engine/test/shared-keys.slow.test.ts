/** Stacks that share a key, as those of a fleet do: the key of one passphrase and one salt is derived once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openProject } from "../backend/project";
import { Crypter } from "../secrets/crypter";
import { NODE, project } from "./scratch";

const saltIn = (dir: string, stack: string): string =>
  /encryptionsalt: (\S+)/.exec(readFileSync(join(dir, `Pulumi.${stack}.yaml`), "utf8"))![1]!;

it("a new stack has the key of another one, if their passphrase is the same, and opens with it", async () => {
  const p = project({ "Pulumi.yaml": NODE });
  const [opened, other] = [
    await openProject(p),
    await openProject({ ...p, env: { ...p.env, PULUMI_CONFIG_PASSPHRASE: "other" } }),
  ];
  await opened.initStack("a");
  const b = await opened.initStack("b", { keyOf: "a" });
  await other.initStack("c", { keyOf: "a" });
  await opened.initStack("d", { keyOf: "missing" });
  const [a, ...salts] = ["a", "b", "c", "d"].map((stack) => saltIn(p.dir, stack));
  expect(salts.map((salt) => salt === a)).toEqual([true, false, false]);
  await b.config.set("token", "hush", { secret: true });
  const read = async (from: typeof opened, stack: string) =>
    (await (await from.openStack(stack)).config.list({ showSecrets: true })).get("demo:token")?.value;
  expect(await read(opened, "b")).toBe("hush");
  await expect(read(other, "b")).rejects.toThrow("incorrect passphrase");
  expect(await opened.stackNames()).toEqual(["a", "b", "c", "d"]);
});

it("many that open one at once make it once, also a wrong one", async () => {
  const { salt } = await Crypter.create("right");
  const seconds = async (work: () => Promise<unknown>) => {
    const since = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1e6;
  };
  const one = await seconds(() => Crypter.open("wrong", salt).catch(() => undefined));
  const open = () =>
    Crypter.open("wrong", salt).then(
      () => "open",
      ({ code }) => code as string,
    );
  let ends: string[] = [];
  const many = await seconds(async () => {
    ends = await Promise.all(Array.from({ length: 20 }, open));
  });
  expect(new Set(ends)).toEqual(new Set(["passphrase"]));
  expect(many).toBeLessThan(5 * one);
});
