/**
 * The plugin beside the dynamic form: what their processes need until they have answered the check of a first resource, and the memory
 * that they have then. Linux only: the figures are those of the kernel.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, type CheckResponse, ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { providerText } from "../../provider/core/provider-text";
import { undisturbed } from "./_cpu";

const root = resolve(__dirname, "../..");
const rounds = 7;
/** Of the dynamic form. */
const limits = { cpu: 0.6, memory: 0.65 };

const directory = mkdtempSync(join(tmpdir(), "bench-plugin-"));
mkdirSync(join(directory, "node_modules/@pulumi"), { recursive: true });
symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(directory, "node_modules/@pulumi/pulumi"));
symlinkSync(root, join(directory, "node_modules/pulumi-esign"));
writeFileSync(join(directory, "package.json"), '{"private": true}');

const forms = {
  dynamic: {
    program: join(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"),
    type: "pulumi-nodejs:dynamic/esign:Webhook",
    more: { __provider: providerText("webhook") },
  },
  plugin: { program: join(root, "dist/plugin/bin/index.js"), type: "esign:index:Webhook", more: {} },
};

interface Cost {
  /** Seconds. */
  cpu: number;
  /** Kilobytes. */
  memory: number;
}

async function measure({ program, type, more }: (typeof forms)["dynamic" | "plugin"], engine: string): Promise<Cost> {
  const child = spawn(process.execPath, [program, engine], { cwd: directory, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(child.stdout!, "data");
    const client = new ResourceProviderClient(`127.0.0.1:${Number(String(line))}`, credentials.createInsecure());
    const configure = new ConfigureRequest();
    const settings = { apiKey: "key_0123456789abcdef0123456789abcdef01234567", baseUrl: "http://127.0.0.1:9" };
    configure.setArgs(
      Struct.fromJavaScript(
        type.startsWith("pulumi-nodejs")
          ? Object.fromEntries(Object.entries(settings).map(([name, value]) => [`esign:${name}`, value]))
          : settings,
      ),
    );
    await new Promise((done) => client.configure(configure, done));
    const check = new CheckRequest();
    check.setUrn(`urn:pulumi:dev::bench::${type}::hook`);
    // An invalid argument: nothing is requested.
    const news = { type: "all", url: "", ...more };
    check.setOlds(Struct.fromJavaScript({}));
    check.setNews(Struct.fromJavaScript(news));
    const response = await new Promise<CheckResponse>((done, fail) =>
      client.check(check, (error, answer) => (error ? fail(error) : done(answer))),
    );
    if (response.getFailuresList().length === 0) throw new Error(`${type}: the check has found nothing`);
    client.close();
    return costOf(child);
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

/** What the kernel knows of a process. */
function costOf({ pid }: ChildProcess): Cost {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  // A hundredth of a second each.
  const cpu = (Number(fields[11]) + Number(fields[12])) / 100;
  const memory = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
  return { cpu, memory };
}

async function main(): Promise<void> {
  const engine = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  await once(engine, "listening");
  const address = `127.0.0.1:${(engine.address() as { port: number }).port}`;
  const costs = { dynamic: [] as Cost[], plugin: [] as Cost[] };
  for (let round = 0; round < rounds; round++)
    for (const form of ["dynamic", "plugin"] as const) costs[form].push(await measure(forms[form], address));
  engine.close();
  const of = (form: "dynamic" | "plugin", figure: keyof Cost) => undisturbed(costs[form].map((cost) => cost[figure]));
  const ratios = Object.fromEntries(
    (["cpu", "memory"] as const).map((figure) => [figure, of("plugin", figure) / of("dynamic", figure)]),
  ) as Record<keyof Cost, number>;
  for (const form of ["dynamic", "plugin"] as const)
    console.log(`${form.padEnd(8)} ${of(form, "cpu").toFixed(2)} s CPU  ${Math.round(of(form, "memory") / 1024)} MB`);
  const ok = ratios.cpu <= limits.cpu && ratios.memory <= limits.memory;
  const rounded = Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, Number(ratio.toFixed(2))]));
  console.log(JSON.stringify({ bench: "plugin", ...rounded, limits, ok }));
  if (!ok) process.exitCode = 1;
}

void main().finally(() => rmSync(directory, { recursive: true, force: true }));
