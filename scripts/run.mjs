// `npm run up` and its kin, on a fresh clone as well: install, build, then the built command.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build, dim, install, root, say } from "./house.mjs";

const [verb, ...rest] = process.argv.slice(2);
const next = {
  up: "Edit examples/account and run `npm run up` again: only the edit is carried out. `npm run destroy` takes everything back.",
  preview: "`npm run up` carries this out.",
  refresh: "`npm run up` brings the account back to what the program says.",
  destroy: "`npm run up` deploys it again.",
};

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
child.once("exit", (code, signal) => {
  if (code === 0 && !rest.some((option) => ["--json", "-j", "--help", "-h"].includes(option)))
    say(`\n${dim(next[verb])}`);
  process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
});
