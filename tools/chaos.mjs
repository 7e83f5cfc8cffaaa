// `npm run chaos [-- --seconds N --seed S]`: builds, then tries random programs, faults and kills, and prints what it did.
// A broken promise is printed with the seed that reproduces it, and the exit code is 1.
import { join } from "node:path";
import { build, install, root, run } from "./prepare.mjs";

await install();
await build();
const { code } = await run(process.execPath, [
  "--require",
  join(root, "node_modules/ts-node/register/transpile-only.js"),
  join(root, "test/reliability/chaos.ts"),
  ...process.argv.slice(2),
]);
process.exit(code);
