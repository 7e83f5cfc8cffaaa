// Writes registry/examples/*.md and registry/programs/*.md: each example in every language of Pulumi's, by the converter of the Pulumi CLI, which
// has to be on PATH with the language hosts and with the plugin installed. Examples are part of the schema, and so of every generated SDK; programs are
// of no single resource, and for pages alone.
//   node tools/registry-examples.mjs [programs [language...]]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./house.mjs";

const [only, ...wanted] = process.argv.slice(2);
const folders = only ? [only] : ["examples", "programs"];

/** By language of the CLI: the file that it writes. */
const languages = {
  typescript: "index.ts",
  python: "__main__.py",
  go: "main.go",
  csharp: "Program.cs",
  java: "src/main/java/generated_program/App.java",
};

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
    execFileSync("pulumi", args, { cwd: scratch, stdio: ["ignore", "ignore", "inherit"] });
    return readFileSync(join(out, languages[language]), "utf8").trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const block = (language, text) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

const names = Object.keys(languages).filter((language) => wanted.length === 0 || wanted.includes(language));
for (const folder of folders.map((name) => join(root, "registry", name))) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".yaml"))) {
    const yaml = readFileSync(join(folder, name), "utf8").trim();
    const blocks = names.map((language) => block(language, convert(yaml, language)));
    writeFileSync(join(folder, name.replace(/yaml$/, "md")), [...blocks, block("yaml", yaml)].join("\n"));
    process.stdout.write(`${name}\n`);
  }
}
