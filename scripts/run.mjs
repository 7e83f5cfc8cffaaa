// `npm run up` and its kin, on a fresh clone as well: install, build, then the built command.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./house.mjs";

const [verb, ...rest] = process.argv.slice(2);
await install();
await build();

const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), verb, "--quickstart", ...rest], {
  cwd: root,
  stdio: "inherit",
});
// The terminal sends Ctrl-C to both; the command decides what it means, and we wait for its answer.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => signal === "SIGTERM" && child.kill(signal));
child.once("error", (error) => {
  throw error;
});
child.once("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
