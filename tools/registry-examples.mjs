// Writes registry/examples/*.md and registry/programs/*.md: each example in every language of Pulumi's, by the converter of the Pulumi CLI, which
// has to be on PATH with the language hosts and with the plugin installed. A language whose host is missing keeps its block. Examples are part of the
// schema, and so of every generated SDK; programs are of no single resource, and for pages alone.
//   node tools/registry-examples.mjs [examples|programs]
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examplePage } from "./example-page.mjs";
import { root } from "./prepare.mjs";

const [only] = process.argv.slice(2);
const folders = only ? [only] : ["examples", "programs"];

/** By language of the CLI: the file that it writes. */
const languages = {
  typescript: "index.ts",
  python: "__main__.py",
  go: "main.go",
  csharp: "Program.cs",
  java: "src/main/java/generated_program/App.java",
};

/** The program in a language; undefined where its host is missing. */
function convert(yaml, language) {
  const scratch = mkdtempSync(join(tmpdir(), "esign-example-"));
  try {
    writeFileSync(join(scratch, "Pulumi.yaml"), `name: example\nruntime: yaml\n${yaml}`);
    const out = join(scratch, language);
    const args = [
      "convert",
      "--from",
      "yaml",
      "--language",
      language,
      "--out",
      out,
      "--generate-only",
      "--non-interactive",
    ];
    const { status, stderr, error } = spawnSync("pulumi", args, { cwd: scratch, encoding: "utf8" });
    if (error) throw error;
    if (/no language plugin '[^']+' found/.test(stderr)) return undefined;
    if (status !== 0) throw new Error(`pulumi convert to ${language} failed:\n${stderr}`);
    return readFileSync(join(out, languages[language]), "utf8").trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

for (const folder of folders.map((name) => join(root, "registry", name))) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".yaml"))) {
    const yaml = readFileSync(join(folder, name), "utf8").trim();
    const file = join(folder, name.replace(/yaml$/, "md"));
    const former = existsSync(file) ? readFileSync(file, "utf8") : "";
    const { text, kept } = examplePage({ file, yaml, former, languages: Object.keys(languages) }, convert);
    writeFileSync(file, text);
    const note = kept.length > 0 ? ` (unchanged, as their hosts are missing: ${kept.join(", ")})` : "";
    process.stdout.write(`${name}${note}\n`);
  }
}
