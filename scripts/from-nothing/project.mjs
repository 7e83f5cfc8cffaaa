// One project, from an empty folder to an empty account: its steps in order.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../house.mjs";
import { managers, sdks } from "./tools.mjs";

/**
 * Yields a name and does a step, each time.
 * @param run runs a command line in the folder; rejects if it fails
 */
export async function* steps(scenario, { folder, tarball, run, tryToRun }) {
  const { manager, template, module, pulumi, runner } = scenario;
  const { dlx, exec, script } = managers[manager];
  const esign = (...args) => run([...exec, "esign", ...args]);
  const engine = ["--local", "--yes", "--engine", pulumi === "pulumi new" ? "pulumi" : "embedded"];

  yield "init";
  if (pulumi === "pulumi new") await generate(scenario, { folder, tarball, run });
  else {
    begin(scenario, { folder, tarball });
    await run([...dlx(tarball), "init", "--yes", "--template", template, "--module", module]);
  }
  if (runner === "type stripping") edit(folder, "Pulumi.yaml", /^runtime:(.|\n )*/m, stripping);

  yield "check";
  await run([...script, "check"]);
  yield "test";
  await run([...script, "test"]);
  yield "up";
  await esign("up", ...engine);
  yield "again";
  await esign("up", ...engine, "--expect-no-changes");
  yield "destroy";
  const { code, output } = await tryToRun([...exec, "esign", "destroy", ...engine]);
  if (code === 0) return;
  // What the README of the project says.
  if (!output.includes("deletionProtection")) throw new Error(output);
  edit(folder, "index.ts", "new esign.Company(id, {", "new esign.Company(id, { deletionProtection: false,");
  await esign("up", ...engine);
  await esign("destroy", ...engine);
}

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
