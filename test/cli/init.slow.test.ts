/** `esign init` in empty and other folders, without installing. */
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { hasSdk, installSteps, languageOf, languages } from "../../cli/project/new-project/languages";
import { gitIgnoreOf, projectTemplates, suitNode } from "../../cli/project/new-project/project-templates";
import { goModule } from "../../provider/protocol/sdk-names";
import { filesIn, save, temporaryFolder } from "../files";
import { root } from "./esign";
import { esign } from "./in-process";

const home = temporaryFolder();

const init = (...args: string[]) => esign(["init", "--no-install", ...args], { home });
const at = (...path: string[]) => join(home, ...path);

const runtimes = {
  typescript: "nodejs",
  yaml: "yaml",
  python: { name: "python", options: { toolchain: "pip", virtualenv: "venv" } },
  go: "go",
};

test.each(projectTemplates)("the template %s becomes a project", async (template) => {
  const { code, stdout } = await init(`new-${template}`, "--template", template);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Created project new-${template}.`)]);
  const language = languageOf(template);
  // A project in YAML has no packages.
  const isYaml = language === "yaml";
  const sdk = hasSdk(language)
    ? " +pulumi plugin install .*\\n +installs the plugin.*\\n +pulumi package add .*\\n"
    : "";
  const installation = isYaml ? "" : ` +npm install\\n${sdk}`;
  expect(stdout).toMatch(new RegExp(`cd new-\\w+\\n${installation} +(npx pulumi-esign up --local|npm run local) `));
  const files = filesIn(at(`new-${template}`));
  expect(parse(files["Pulumi.yaml"]!)).toEqual({
    name: `new-${template}`,
    description: expect.stringMatching(/\w/),
    runtime: runtimes[language],
    backend: { url: "file://." },
    ...(isYaml && { resources: { account: { type: "esign:AccountConfig", properties: { folder: "." } } } }),
  });
  if (isYaml) expect(files["package.json"]).toBeUndefined();
  else expect(JSON.parse(files["package.json"]!).name).toBe(`new-${template}`);
  if (language === "typescript") expect(JSON.parse(files["package.json"]!).main).toBe("index.ts");
  expect(files[".gitignore"]).toBe(gitIgnoreOf(template));
  expect(Object.values(files).join("\n")).not.toMatch(/\$\{(PROJECT|DESCRIPTION)\}/);
});

test.each(languages)(
  "the next steps of a project in %s fit into a terminal, but for commands that are longer",
  async (language) => {
    const { stdout } = await init(`narrow-${language}`, "--language", language);
    const steps = stdout.slice(stdout.indexOf("Try it")).split("\n");
    expect(steps.length).toBeGreaterThan(6);
    for (const line of steps)
      if (!/^ +pulumi plugin install \S/.test(line)) expect(line.length, line).toBeLessThan(100);
    // Comments of all commands that are not too long begin in one column.
    const columns = steps.flatMap((line) => /^ {2}\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? []);
    expect(new Set(columns).size).toBe(1);
  },
);

test.each(languages)(
  "--language %s is the template of that language, whose files of the account are all the same",
  async (language) => {
    expect((await init(`in-${language}`, "--language", language, "--name", "shop")).code).toBe(0);
    const template = language === "typescript" ? "account" : language;
    expect((await init(`as-${language}`, "--template", template, "--name", "shop")).code).toBe(0);
    const files = filesIn(at(`in-${language}`));
    expect(files).toEqual(filesIn(at(`as-${language}`)));
    const account = [
      "account.yaml",
      "emails/email-send/subject.txt",
      "emails/email-send/body.html",
      "emails/email-send/body.txt",
    ];
    for (const path of account)
      expect(files[path], path).toBe(readFileSync(join(root, "templates/account", path), "utf8"));
  },
);

test.each(languages.filter(hasSdk))("the README of a project in %s has the steps that install its SDK", (language) => {
  const readme = readFileSync(join(root, "templates", language, "README.md"), "utf8");
  expect(readme).toContain(installSteps(language).join("\n    "));
});

test("a program in Go imports the SDK by the name that the schema gives it", () => {
  expect(readFileSync(join(root, "templates/go/main.go"), "utf8")).toContain(`"${goModule()}"`);
});

test("what to do next is one table, with what a workflow is to be told", async () => {
  for (const language of ["typescript", "yaml", "python"]) {
    const { stdout } = await init(`ci-${language}`, "--language", language, "--ci", "--name", "shop");
    const columns = [...stdout.matchAll(/^ {2}(\S.*?) {2,}(?=\S)/gm)].map(([whole]) => whole.length);
    expect(columns.length).toBeGreaterThan(6);
    expect(new Set(columns).size, stdout).toBe(1);
    for (const text of ["STACK, ESIGN_BASE_URL ", "ESIGN_API_KEY ", "PULUMI_CONFIG_PASSPHRASE ", "PULUMI_BACKEND_URL "])
      expect(stdout).toContain(`\n  ${text}`);
    // The review reads the stack's file, which is in the checkout; the plan needs the stack in the backend.
    expect(stdout).toMatch(
      /\n {2}PULUMI_BACKEND_URL=… npx pulumi-esign stack init production\n {4}.*commit Pulumi\.production\.yaml/,
    );
    const files = filesIn(at(`ci-${language}`));
    const workflow = files[".github/workflows/esign.yml"]!;
    expect(workflow).not.toContain("Copy it");
    expect(parse(workflow).jobs.review.steps).toEqual(expect.arrayContaining([{ run: "npm ci --ignore-scripts" }]));
    expect(workflow.split("pulumi install").length).toBe(language === "python" ? 5 : 1);
    // What `npm ci` installs.
    expect(JSON.parse(files["package.json"]!).dependencies["pulumi-esign"]).toMatch(/^\^/);
  }
});

test.each(["index.ts", "receiver.ts"])("the template receiver has the %s of the example", (file) => {
  const [template, example] = ["templates", "examples"].map((folder) =>
    readFileSync(join(root, folder, "receiver", file), "utf8"),
  );
  expect(template).toBe(example);
});

test.each(projectTemplates)("the template %s is one of `pulumi new`, too", (template) => {
  const folder = join(root, "templates", template);
  const project = parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8"));
  const language = languageOf(template);
  expect(project).toMatchObject({ name: "${PROJECT}", description: "${DESCRIPTION}", runtime: runtimes[language] });
  expect(project.template.config["esign:apiKey"].secret).toBe(true);
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(gitIgnoreOf(template));
  if (language === "yaml") return;
  const { version, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(dependencies["pulumi-esign"]).toBe(`^${version}`);
  if (language === "typescript") expect(dependencies["@pulumi/pulumi"]).toBe(peerDependencies["@pulumi/pulumi"]);
});

test.each([
  ["20.18.1", ">=3.216.0 <3.249.0"],
  ["21.7.3", ">=3.216.0 <3.249.0"],
  ["22.0.0", "^3.216.0"],
  ["24.1.0", "^3.216.0"],
])("on Node %s a project asks for @pulumi/pulumi %s, which it can install", (node, range) => {
  const text = readFileSync(join(root, "templates/account/package.json"), "utf8");
  expect(JSON.parse(suitNode(text, node)).dependencies["@pulumi/pulumi"]).toBe(range);
});

test("ES modules are loaded with tsx", async () => {
  expect((await init("modules", "--module", "esm", "--ci", "--name", "shop")).code).toBe(0);
  const files = filesIn(at("modules"));
  expect(JSON.parse(files["package.json"]!)).toMatchObject({
    name: "shop",
    type: "module",
    devDependencies: { tsx: expect.stringMatching(/^\^/) },
  });
  expect(parse(files["Pulumi.yaml"]!).runtime).toEqual({ name: "nodejs", options: { nodeargs: "--import tsx" } });
  expect(files[".github/workflows/esign.yml"]).toContain("esign up");
});

test("what `npm install` has written is completed, and other files are kept", async () => {
  save(at("begun"), {
    "package.json": JSON.stringify({
      main: "index.js",
      type: "commonjs",
      scripts: { test: "mocha" },
      dependencies: { "pulumi-esign": "file:../pulumi-esign.tgz" },
    }),
    ".gitignore": "node_modules\n*.log",
    "README.md": "Ours",
    ".vscode/settings.json": '{ "editor.tabSize": 3 }',
  });
  expect((await init("begun", "--module", "esm")).code).toBe(0);
  const files = filesIn(at("begun"));
  expect(JSON.parse(files["package.json"]!)).toMatchObject({
    main: "index.ts",
    type: "module",
    scripts: { test: "mocha" },
    dependencies: { "pulumi-esign": "file:../pulumi-esign.tgz", "@pulumi/pulumi": expect.any(String) },
  });
  expect(files[".gitignore"]).toBe("node_modules\n*.log\n.pulumi/\n.esign/\n");
  expect(files).toMatchObject({ "README.md": "Ours", ".vscode/settings.json": '{ "editor.tabSize": 3 }' });
});

test.each([
  ["pnpm/12.21.0 npm/? node/v20.20.2 linux x64", "pnpm", "pnpm"],
  ["yarn/4.18.1 npm/? node/v20.20.2 linux x64", "yarn", "yarn"],
  ["bun/1.3.0 npm/? node/v24.3.0 linux x64", "bun", "bunx"],
])("with %s, commands and settings are those of %s", async (agent, manager, runner) => {
  save(at(manager), { "package.json": JSON.stringify({ scripts: { test: "echo 'no test specified' && exit 1" } }) });
  const env = { npm_config_user_agent: agent };
  const { code, stdout } = await esign(["init", manager, "--no-install"], { home, env });
  expect([code, stdout.match(/\b(npm|npx)\b/)]).toEqual([0, null]);
  expect(stdout).toContain(`${manager} install\n  ${runner} pulumi-esign up --local`);
  const files = filesIn(at(manager));
  expect(files["README.md"]).toContain(`${manager} test `);
  expect(JSON.parse(files["package.json"]!).scripts.test).toMatch(/^node /);
  expect(files[".gitignore"]).toBe(`${gitIgnoreOf("account")}${manager === "yarn" ? ".yarn/\n.pnp.*\n" : ""}`);
  const settings = files["pnpm-workspace.yaml"];
  expect(settings && parse(settings)).toEqual(
    manager === "pnpm" ? { packages: ["."], allowBuilds: { esbuild: false, protobufjs: false } } : undefined,
  );
});

test("a folder of a pnpm workspace gets no settings of its own", async () => {
  save(at("workspace"), { "pnpm-workspace.yaml": "packages: ['*']\n" });
  const env = { npm_config_user_agent: "pnpm/12.21.0" };
  expect((await esign(["init", "workspace/shop", "--no-install"], { home, env })).code).toBe(0);
  expect(existsSync(at("workspace/shop/pnpm-workspace.yaml"))).toBe(false);
});

test("a name that YAML reads as a number is a text", async () => {
  expect((await init("2026")).code).toBe(0);
  expect(parse(readFileSync(at("2026/Pulumi.yaml"), "utf8")).name).toBe("2026");
});

test("the files of an account become part of the project, unchanged; what has them alone is a project in YAML", async () => {
  const account = { "account.yaml": "branding:\n  colour: '#123456'\n", "emails/email-send/subject.txt": "Ours" };
  for (const [name, more, main, program] of [
    ["files", {}, "Pulumi.yaml", "type: esign:AccountConfig"],
    ["packages", { "package.json": "{}" }, "index.ts", 'AccountConfig("account", { folder: "." })'],
  ] as const) {
    save(at(name), { ...account, ...more });
    expect((await init(name)).code).toBe(0);
    expect(filesIn(at(name))).toMatchObject(account);
    expect(existsSync(at(name, "emails/email-send/body.html"))).toBe(false);
    expect(readFileSync(at(name, main), "utf8")).toContain(program);
  }
});

test.each([
  ["index.ts", "ours", /would overwrite: index\.ts\. Move/],
  ["Pulumi.yml", "name: a", /is a project already/],
  ["package.json", "{", /package.json is not valid JSON/],
])("beside %s with %j nothing is written", async (name, text, message) => {
  save(at(`full-${name}`), { [name]: text });
  const { code, stderr } = await init(`full-${name}`);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(filesIn(at(`full-${name}`))).toEqual({ [name]: text });
});

test("a project that was begun keeps what is edited since, and gets what is missing", async () => {
  expect((await init("begun-before", "--template", "partner", "--module", "esm")).code).toBe(0);
  const whole = filesIn(at("begun-before"));
  const mark = JSON.stringify({ template: "partner", name: "begun-before", module: "esm" });
  save(at("begun-before"), { ".esign-init": mark, "index.ts": "ours", "README.md.0123456789ab.tmp": "half" });
  rmSync(at("begun-before/tsconfig.json"));
  const other = await init("begun-before", "--template", "account");
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringMatching(/interrupted init began with another --template/),
  ]);
  expect((await init("begun-before", "--ci")).stderr).toContain("interrupted init began without --ci");
  const { code, stderr } = await init("begun-before");
  expect([code, stderr]).toEqual([0, expect.stringContaining("Continuing the project")]);
  expect(filesIn(at("begun-before"))).toEqual({ ...whole, "index.ts": "ours" });
  expect((await init("begun-before")).stderr).toContain("is a project already");
});

test.each([
  ["python", "--language", "python"],
  ["yaml", "--language", "yaml"],
  ["python", "--template", "account", "--language", "python"],
  ["account", "--language", "typescript"],
])("the options that began a project in the template %s continue it: %s %s %s %s", async (template, ...options) => {
  const folder = at(`begun-${options.join("")}`);
  const [name, module] = ["shop", "commonjs"];
  save(folder, { ".esign-init": JSON.stringify({ template, name, module }), "Pulumi.yaml": "name: shop\n" });
  const sameOptions = options.filter((option) => option !== undefined);
  const other = await init(folder, "--language", template === "python" ? "go" : "python");
  expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/began with another --language/)]);
  expect(await init(folder, ...sameOptions)).toMatchObject({ code: 0, stderr: expect.stringContaining("Continuing") });
});

test.each(["null", "[]", "{", '{ "template": "account" }', '{ "template": "other", "name": "a", "module": "esm" }'])(
  "a mark %j, which says nothing of what was begun, makes no project a begun one",
  async (mark) => {
    const files = { "Pulumi.yaml": "name: a\nruntime: nodejs\n", ".esign-init": mark };
    const folder = temporaryFolder(files);
    const { code, stderr } = await init(folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is a project already")]);
    expect(filesIn(folder)).toEqual(files);
  },
);

test.each([{}, { "Pulumi.yaml": "name: a\nruntime: nodejs\n" }])(
  "a mark that is a symbolic link is not read or written, in a folder with %j",
  async (files) => {
    const outside = temporaryFolder({ "notes.txt": "hush" });
    const folder = temporaryFolder(files);
    symlinkSync(join(outside, "notes.txt"), join(folder, ".esign-init"));
    const { code, stderr } = await init(folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('.esign-init" is a symbolic link')]);
    expect(filesIn(outside)).toEqual({ "notes.txt": "hush" });
    expect(existsSync(join(folder, "package.json"))).toBe(false);
  },
);

test("what a workflow would overwrite is reported before anything is written", async () => {
  save(at("has-workflow"), { ".github/workflows/esign.yml": "ours" });
  expect((await init("has-workflow", "--ci")).stderr).toContain("would overwrite: .github/workflows/esign.yml");
  expect(filesIn(at("has-workflow"))).toEqual({ ".github/workflows/esign.yml": "ours" });
});

test.each([
  [["--template", "none"], /Allowed choices are account, yaml, python, go, partner, receiver, automation/],
  [["--template", "partner", "--language", "go"], /the template partner is in TypeScript: omit --language/],
  [["--language", "python", "--module", "esm"], /--module is for programs in TypeScript/],
  [["--language", "pyhton"], /is invalid: did you mean python\? Allowed choices are typescript, yaml, python, go\./],
  [["--module", "amd"], /Allowed choices are commonjs, esm/],
  [["--name", "a b"], /"a b" is not a valid project name \(--name\)/],
  [["--from", "account", "--template", "partner"], /omit --template/],
  [["--from", "emails"], /"emails" is not an account/],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await init("refused", ...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(existsSync(at("refused"))).toBe(false);
});
