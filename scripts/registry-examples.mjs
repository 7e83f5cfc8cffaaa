// Writes registry/examples/*.md: each example in every language of Pulumi's, by the converter of the Pulumi CLI, which has to be on PATH with
// the plugin installed. What it writes is part of the schema, and so of every generated SDK.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./house.mjs";

const folder = join(root, "registry/examples");

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

for (const name of readdirSync(folder).filter((each) => each.endsWith(".yaml"))) {
  const yaml = readFileSync(join(folder, name), "utf8").trim();
  const blocks = Object.keys(languages).map((language) => block(language, convert(yaml, language)));
  writeFileSync(join(folder, name.replace(/yaml$/, "md")), [...blocks, block("yaml", yaml)].join("\n"));
  process.stdout.write(`${name}\n`);
}
