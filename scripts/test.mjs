// `npm test`: build, types, lint, every test. All parts run even if one fails, so that one look shows all there is to do.
import { join } from "node:path";
import { bold, build, dim, green, install, red, root, run, say, seconds } from "./house.mjs";

const bin = (path) => join(root, "node_modules", path);
const begin = performance.now();
await install();
await build();

const parts = [
  ["Types", [bin("typescript/bin/tsc"), "--noEmit", "-p", "."]],
  ["Lint", [bin("@biomejs/biome/bin/biome"), "check", "."]],
  ["Tests", [bin("vitest/vitest.mjs"), "run", ...process.argv.slice(2)]],
];
const failed = [];
for (const [title, args] of parts) {
  const since = performance.now();
  say(`\n${bold(`── ${title} `.padEnd(60, "─"))}`);
  const { code } = await run(process.execPath, args);
  if (code !== 0) failed.push(title);
  say(`${code === 0 ? green("✓") : red("✗")} ${title} ${dim(seconds(since))}`);
}

say("");
if (failed.length > 0) say(red(bold(`Failed: ${failed.join(", ")} (${seconds(begin)})`)));
else say(green(bold(`All good in ${seconds(begin)}`)));
process.exit(failed.length > 0 ? 1 : 0);
