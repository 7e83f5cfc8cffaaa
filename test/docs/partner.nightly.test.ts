import { beforeAll, test } from "vitest";
import { temporaryFolder } from "../files";
import { makeHome, runGuide, shell } from "./guide";

const home = temporaryFolder();
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  env = makeHome(home);
});

test("docs/tutorials/provision-a-customer.md, and the pages that follow it", { timeout: 500_000 }, async () => {
  await runGuide("tutorials/provision-a-customer", home, env);
  const { cwd } = await shell("cd partners", home, env);
  await runGuide("how-to/report-monthly-usage", cwd, env);
  await runGuide("how-to/offboard-a-customer", cwd, env);
});

test("docs/how-to/change-many-subaccounts.md", { timeout: 500_000 }, () =>
  runGuide("how-to/change-many-subaccounts", home, env),
);
