/** The tests run on one Node, users on several: a life on the newest one with long-term support, if that is another one. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../cli/esign";
import { useEmulator } from "../emulator/use-emulator";
import { npmInstall } from "../npm-install";
import { Program } from "../provider/programs";
import { disagreements, ownedBy } from "../reliability/agreement";
import { company, email, webhook } from "../reliability/wanted";

const exec = promisify(execFile);
const newest = 24;
const here = Number.parseInt(process.versions.node, 10);
// What npm has of Node are packages for one platform each.
const isMissing = here < newest && process.platform === "linux";

/** Installs that Node beside the other packages, once. */
async function install(): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const folder = join(root, "node_modules", ".cache", `node-${newest}`);
  await npmInstall(folder, `${name}@${newest}`);
  return join(folder, "node_modules", name, "bin", "node");
}

const service = useEmulator();

it.runIf(isMissing)(`a stack lives on Node ${newest}`, async () => {
  const executable = await install();
  const { stdout } = await exec(executable, ["--version"]);
  expect(stdout).toMatch(new RegExp(`^v${newest}\\.`));

  const program = new Program("embedded");
  program.launch = { executable, environment: { TMPDIR: program.home } };
  program.wanted = [email(), company(), webhook({ account: "firm" })];
  const kept = () => readdirSync(join(program.home, "node-compile-cache"), { recursive: true }).length;
  await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
  const ofCommands = kept();
  // The first creation is applied, and its answer lost.
  service.configure({ faults: [{ kind: "cut-after", method: "POST", nth: 1 }] });
  await program.operate("up");
  expect(service.counts().byFault).toEqual({ "cut-after": 1 });
  expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
  await program.operate("up", "--expect-no-changes");
  await program.operate("destroy");
  expect(await ownedBy(program)).toEqual([]);
  expect(program.printed).not.toMatch(/Deprecat|Warning:/);
  // Compiled code is kept for the next run: that of the program, too, which is most of it.
  expect(kept() - ofCommands).toBeGreaterThan(100);
});
