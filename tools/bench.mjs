// `npm run bench [name …]`: builds, then runs tools/bench/*.ts one after the other. Each prints ratios that were measured in one
// run, side by side, since absolute times say little on a machine that others use too; it fails when a limit is broken.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bold, build, dim, green, install, red, root, run, say, seconds } from "./prepare.mjs";

await install();
await build();

const wanted = process.argv.slice(2);
const benches = readdirSync(join(root, "tools/bench"))
  .filter((file) => file.endsWith(".ts") && !file.startsWith("_"))
  .map((file) => file.slice(0, -3))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
const unknown = wanted.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  say(red(`There is no bench/${unknown[0]}.ts.`));
  process.exit(2);
}

const failed = [];
for (const name of benches) {
  const since = performance.now();
  say(`\n${bold(`── ${name} `.padEnd(60, "─"))}`);
  // ts-node without its type check: `npm test` checks the types of bench/ already.
  const { code } = await run(process.execPath, [
    "--require",
    join(root, "node_modules/ts-node/register/transpile-only.js"),
    join(root, "tools/bench", `${name}.ts`),
  ]);
  if (code !== 0) failed.push(name);
  say(`${code === 0 ? green("✓") : red("✗")} ${name} ${dim(seconds(since))}`);
}
if (failed.length > 0) say(red(bold(`\nA limit is broken: ${failed.join(", ")}`)));
process.exit(failed.length > 0 ? 1 : 0);
