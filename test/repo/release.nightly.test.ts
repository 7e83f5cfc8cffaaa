/**
 * A release from a copy of the source that has a public host: made by the script of the workflow, with the SDKs that the Pulumi CLI generates and
 * the tools of this machine compile, and found by the CLI where GitHub has it.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { version } from "../../package.json";
import { save, temporaryFolder } from "../files";
import { hasPulumi } from "../provider/programs";

const root = join(__dirname, "../..");
const owner = "acme-sign";
const repository = `https://github.com/${owner}/pulumi-esign`;
const tag = `v${version}`;
const has = (command: string) => spawnSync(command, ["--version"]).error === undefined;
const text = (command: string, args: string[], cwd?: string) => execFileSync(command, args, { cwd, encoding: "utf8" });

/** The source as it is for a release. */
function readySource(): string {
  const folder = temporaryFolder();
  for (const file of text("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], root)
    .split("\0")
    .filter(Boolean))
    cpSync(join(root, file), join(folder, file), { preserveTimestamps: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const edit = (path: string, from: RegExp, to: string) =>
    save(folder, { [path]: readFileSync(join(folder, path), "utf8").replace(from, to) });
  edit("provider/protocol/sdk-names.ts", /home: string \| undefined = undefined/, `home: string = "${repository}"`);
  edit("CHANGELOG.md", /## \[Unreleased\].*?(?=^## )/ms, "## [Unreleased]\n\n");
  edit("CHANGELOG.md", /^## \[([\d.]+)\] - .*$/m, "## [$1] - 2026-12-01");
  // What a person deletes.
  for (const page of ["README.md", "docs/tutorials/first-project.md", "docs/tutorials/first-project-in-python.md"])
    edit(page, /^.*(before the first release|not released yet).*\n/gim, "");
  execFileSync(process.execPath, ["--import", "tsx", "tools/reference/index.ts"], { cwd: folder });
  return folder;
}

describe.runIf(hasPulumi)("a release", () => {
  const out = temporaryFolder();
  let result: ReturnType<typeof spawnSync>;
  const member = (archive: string, name: string) => text("tar", ["-xzOf", join(out, archive), name]);
  const sdk = (language: string, name: string) => member(`pulumi-esign-sdk-${language}-${version}.tar.gz`, `./${name}`);

  beforeAll(() => {
    const home = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: `${owner}/pulumi-esign` };
    const args = ["tools/release/build.mjs", out, tag];
    result = spawnSync(process.execPath, args, {
      cwd: readySource(),
      env: { ...process.env, ...home },
      encoding: "utf8",
    });
  });

  it("lacks what this machine has no tools for, and nothing else; then it is not published", () => {
    const tools = { python: "python3", go: "go", dotnet: "dotnet", java: "mvn" };
    const absent = Object.entries(tools)
      .filter(([, tool]) => !has(tool))
      .map(([language, tool]) => `${language}: generated, not compiled: ${tool} is not on PATH.`);
    const lines = String(result.stderr).split("\n");
    expect(lines.filter((line) => /^(nodejs|python|go|dotnet|java): |^CHANGELOG|^No /.test(line))).toEqual(absent);
    expect(result.status).toBe(absent.length > 0 ? 1 : 0);
    text("sha256sum", ["--check", "--quiet", "SHA256SUMS"], out);
  });

  it("names its owner in every package", () => {
    expect(JSON.parse(member(`pulumi-esign-${version}.tgz`, "package/package.json"))).toMatchObject({
      repository: { type: "git", url: `git+${repository}.git` },
      bugs: { url: `${repository}/issues` },
    });
    expect(JSON.parse(sdk("nodejs", "package.json"))).toMatchObject({
      name: `@${owner}/esign`,
      pulumi: { server: `github://api.github.com/${owner}/pulumi-esign` },
    });
    expect(sdk("python", "pyproject.toml")).toContain('name = "pulumi_esign"');
    expect(sdk("go", "go.mod")).toContain(`module github.com/${owner}/pulumi-esign/sdk/go/esign`);
    expect(sdk("dotnet", "AcmeSign.Esign.csproj")).toContain(`<RepositoryUrl>${repository}</RepositoryUrl>`);
    expect(sdk("java", "pom.xml")).toContain(`<groupId>io.github.${owner}</groupId>`);
    expect(sdk("java", "src/main/resources/io/github/acme_sign/esign/version.txt")).toBe(version);
  });

  it("has .NET's SDK with the logo of the repository, which no network served", () => {
    const logo = execFileSync("tar", ["-xzOf", join(out, `pulumi-esign-sdk-dotnet-${version}.tar.gz`), "./logo.png"]);
    expect(logo.equals(readFileSync(join(root, "registry/logo.png")))).toBe(true);
  });

  const environment = (more: object = {}) => {
    const home = temporaryFolder();
    return { ...process.env, HOME: home, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true", ...more };
  };
  const installed = (env: NodeJS.ProcessEnv) =>
    JSON.parse(execFileSync("pulumi", ["plugin", "ls", "--json"], { env, encoding: "utf8" })).map(
      (plugin: { name: string; version: string }) => `${plugin.name} ${plugin.version}`,
    );

  it.runIf(has("openssl"))(
    "is found by the CLI in the releases of the repository, by version and as the latest one",
    async () => {
      const github = await startGitHub(out);
      for (const wanted of [[], [version]]) {
        const env = environment({ SSL_CERT_FILE: github.certificate, GITHUB_TOKEN: "" });
        const server = `github://${github.address}/${owner}/pulumi-esign`;
        const child = spawn("pulumi", ["plugin", "install", "resource", "esign", ...wanted, "--server", server], {
          env,
        });
        const code = await new Promise((done) => child.once("close", done));
        expect([code, installed(env)]).toEqual([0, [`esign ${version}`]]);
      }
    },
  );
});

/** As far as the CLI asks GitHub: its API of releases, and their files. */
async function startGitHub(release: string) {
  const folder = temporaryFolder();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...files], { stdio: "pipe" });
  const api = `/repos/${owner}/pulumi-esign/releases`;
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, ({ url = "" }, response) => {
    const file = url.replace(`${api}/assets/`, "");
    if (file !== url) return response.end(readFileSync(join(release, file)));
    if (url !== `${api}/latest` && url !== `${api}/tags/${tag}`) return response.writeHead(404).end();
    const assets = readdirSync(release).map((name) => ({ name, url: `https://${address}${api}/assets/${name}` }));
    return response.end(JSON.stringify({ tag_name: tag, assets }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once("listening", listening));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, certificate };
}

describe.runIf(!hasPulumi)("a release", () => {
  it.skip("needs the Pulumi CLI on PATH", () => undefined);
});
