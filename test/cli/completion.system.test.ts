/** Tab in real shells, with the scripts of `esign completion`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const has = (shell: string) => spawnSync(shell, ["-c", ":"]).status === 0;
const script = (shell: string) => join(home, `esign.${shell}`);

beforeAll(async () => {
  mkdirSync(join(home, "my-account"));
  for (const shell of ["bash", "zsh"])
    writeFileSync(script(shell), (await esign(["completion", shell], { home })).stdout);
});

const cases: [line: string, completed: string][] = [
  ["esign web", "esign webhooks"],
  ["esign webhooks li", "esign webhooks list"],
  ["esign --verbose webhooks list --of", "esign --verbose webhooks list --offset"],
  // After arguments, options of the command; without a choice, files.
  ["esign diff a b --mark", "esign diff a b --markdown"],
  ["esign lint my-", "esign lint my-account"],
];

test.skipIf(!has("bash"))("bash", () => {
  for (const [line, completed] of cases) {
    const words = line.split(" ").map((word) => `'${word}'`);
    const run = `source '${script("bash")}'; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _esign; echo "\${COMPREPLY[*]}"`;
    const stdout = execFileSync("bash", ["--norc", "-c", run], { cwd: home, encoding: "utf8" });
    // Files are completed by the shell itself.
    expect(stdout.trim(), line).toBe(completed.endsWith("my-account") ? "" : completed.split(" ").at(-1));
  }
});

/** Types a line and Tab into a shell with a terminal of its own, and prints what is on the line until it is `completed`. */
const drive = `
zmodload zsh/zpty
zpty shell zsh -i
type_and_expect() {
  local out='' chunk i
  zpty -wn shell "$1"
  for (( i = 0; i < 100; i++ )); do
    if zpty -rt shell chunk; then out+=$chunk; else sleep 0.05; fi
    [[ "$out" == *"$2"* ]] && return 0
  done
  print -r -- "typed \${(q)1}, expected $2, got \${(q)out}"; exit 1
}
type_and_expect '' 'ready> '
while read -r line && read -r completed; do
  type_and_expect "$line"$'\\t' "$completed"
  # Deletes the line. Ctrl-C would be lost while the shell still draws.
  zpty -wn shell $'\\025'
done
`;

test.skipIf(!has("zsh"))("zsh, with and without a completion system that is started already", () => {
  for (const start of ["", "autoload -Uz compinit && compinit -i"]) {
    writeFileSync(join(home, ".zshrc"), `PS1='ready> '\n${start}\nsource '${script("zsh")}'\n`);
    const { status, stdout, stderr } = spawnSync("zsh", ["-f", "-c", drive], {
      cwd: home,
      env: { ...process.env, HOME: home, ZDOTDIR: home, TERM: "dumb" },
      input: `${cases.flat().join("\n")}\n`,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  }
});
