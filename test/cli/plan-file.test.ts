import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type PlannedEffect,
  readPlan,
  rejectOtherAccount,
  rejectOtherEffects,
  writePlan,
} from "../../cli/deploy/plan-file";
import { temporaryFolder } from "../files";

const folder = temporaryFolder();

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/esign:Webhook::all";
const create: PlannedEffect = { urn, op: "create", effect: "create" };

test("the file is readable by its owner only, and holds the effects", async () => {
  const file = join(folder, "plan.json");
  await writePlan(file, { manifest: {} }, [create]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await readPlan(file)).toEqual({ manifest: {}, effects: [create] });
});

test.each<[string, PlannedEffect]>([
  ["an object that is adopted now", { ...create, effect: "adopt", id: "7" }],
  ["a field that differs now", { ...create, fields: ["url"] }],
  ["a resource that the plan does not have", { ...create, urn: `${urn}-2` }],
  ["another operation on it", { ...create, op: "create-replacement" }],
])("refused: %s", (_, now) => {
  expect(() => rejectOtherEffects({ manifest: {}, effects: [create] }, [now])).toThrow(
    /^The account has changed since the plan was made, so nothing was applied:\n {2}.*planned .*, now /,
  );
});

test.each<[string, PlannedEffect[] | undefined, PlannedEffect[]]>([
  ["the same effect", [create], [create]],
  ["nothing left to do", [create], []],
  ["a plan that was made offline", [{ ...create, effect: "unread" }], [create]],
  ["a plan of `pulumi preview`, without effects", undefined, [create]],
])("allowed: %s", (_, effects, now) => {
  rejectOtherEffects({ manifest: {}, ...(effects && { effects }) }, now);
});

test.each<[planned: string | undefined, now: string | undefined, isRefused: boolean]>([
  ["aa11", "aa11", false],
  ["aa11", "bb22", true],
  ["aa11", undefined, true],
  // Of `pulumi preview`.
  [undefined, "bb22", false],
])("a plan of the account %s is applied to %s: refused %s", async (planned, now, isRefused) => {
  const file = join(folder, "account.json");
  await writePlan(file, { manifest: {} }, [create], planned);
  const plan = await readPlan(file);
  const check = () => rejectOtherAccount(plan, file, now);
  if (!isRefused) return check();
  expect(check).toThrow(/was made with a key whose fingerprint is aa11; .*Nothing was changed\.\n.*--save-plan/s);
  return undefined;
});

test("a plan that an editor has saved with a byte order mark is read", async () => {
  const file = join(folder, "marked.json");
  writeFileSync(file, `\ufeff${JSON.stringify({ manifest: {}, effects: [create] })}`);
  expect(await readPlan(file)).toEqual({ manifest: {}, effects: [create] });
});
