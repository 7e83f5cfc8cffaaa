// One project, from an empty folder to an empty account: its steps in order.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { managers, sdks } from "./tools.mjs";

/**
 * Yields a name and does a step, each time.
 * @param run runs a command line in the folder; rejects if it fails
 */
export async function* steps(scenario, { folder, tarball, run, tryToRun }) {
  const { manager, template, module, pulumi, runner } = scenario;
  const { dlx, exec, script, installs } = managers[manager];
  const engine = ["--local", "--yes", "--engine", pulumi === "pulumi new" ? "pulumi" : "embedded"];

  yield "init";
  if (pulumi === "pulumi new") await generate(scenario, { folder, tarball, run });
  else {
    begin(scenario, { folder, tarball });
    const wishes = ["--template", template, "--module", module, ...(installs === undefined ? [] : ["--no-install"])];
    await run([...dlx(tarball), "init", "--yes", ...wishes]);
    if (installs !== undefined) await run(installs);
  }
  if (runner === "type stripping") edit(folder, "Pulumi.yaml", /^runtime:(.|\n )*/m, stripping);

  yield "check";
  await run([...script, "check"]);
  yield "test";
  await run([...script, "test"]);
  const { up, destroy, program } =
    template === "automation"
      ? automation({ folder, run, tryToRun, script, exec })
      : deployment({ run, tryToRun, exec, engine });
  yield "up";
  await up();
  yield "again";
  await up("unchanged");
  yield "destroy";
  const { code, output } = await destroy();
  if (code === 0) return;
  // What the README of the project says.
  if (!output.includes("deletionProtection")) throw new Error(output);
  edit(folder, program, "new esign.Company(id, {", "new esign.Company(id, { deletionProtection: false,");
  await up();
  const again = await destroy();
  if (again.code !== 0) throw new Error(again.output);
}

/** By `esign`. */
const deployment = ({ run, tryToRun, exec, engine }) => ({
  program: "index.ts",
  up: (unchanged) => run([...exec, "esign", "up", ...engine, ...(unchanged ? ["--expect-no-changes"] : [])]),
  destroy: () => tryToRun([...exec, "esign", "destroy", ...engine]),
});

/** By a program of the project, for each customer. */
const automation = ({ folder, run, tryToRun, script, exec }) => ({
  program: "provision.ts",
  async up(unchanged) {
    const output = await run([...script, "start", ...(script[0] === "npm" ? ["--"] : []), "--local"]);
    if (unchanged && !output.includes('harbour: {"same":4}')) throw new Error(output);
  },
  destroy: () =>
    tryToRun([...exec, "esign", "destroy", "--local", "--yes", "--stack", "harbour"], {
      PULUMI_BACKEND_URL: `file://${join(folder, ".esign")}`,
      PULUMI_CONFIG_PASSPHRASE: "local",
    }),
});

/** Node loads the program: as ES modules without tsx, as CommonJS without Pulumi's ts-node. */
const stripping = "runtime:\n  name: nodejs\n  options:\n    typescript: false";

/** The tarball in place of a version in a registry. */
function begin({ manager, pulumi }, { folder, tarball }) {
  const dependencies = { "pulumi-esign": `file:${tarball}` };
  if (pulumi !== "range") dependencies["@pulumi/pulumi"] = sdks[pulumi];
  const files = { ...managers[manager].files, "package.json": JSON.stringify({ dependencies }) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

async function generate({ template }, { folder, tarball, run }) {
  const templates = join(root, "templates", template);
  await run(["pulumi", "new", templates, "--yes", "--generate-only", "--name", `new-${template}`]);
  edit(folder, "package.json", /"pulumi-esign": ".*"/, `"pulumi-esign": "file:${tarball}"`);
  mkdirSync(join(folder, ".pulumi"), { recursive: true });
  await run(["pulumi", "install"]);
}

function edit(folder, name, what, replacement) {
  const file = join(folder, name);
  const text = readFileSync(file, "utf8");
  const edited = text.replace(what, replacement);
  if (edited === text) throw new Error(`${name} has no ${what}`);
  writeFileSync(file, edited);
}
