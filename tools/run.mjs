// `npm run up` and related commands, on a fresh clone as well: install, build, then the built command.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build, dim, install, root, say } from "./prepare.mjs";

const [verb, ...rest] = process.argv.slice(2);
const next = {
  up: "Edit examples/account/emails/email-send/subject.txt and run `npm run up` again: only that changes.\n`npm run destroy` deletes or restores everything.",
  preview: "`npm run up` applies this.",
  refresh: "`npm run up` reverts the differences in the account.",
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
