/**
 * What the types cost an editor or a build: the CPU of `tsc` on a program with 200 resources, against the same program on bare
 * `pulumi.CustomResource`, with the settings of `esign init`. Runs in pairs; the median of their ratios counts.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { secondsOfChildren } from "./_cpu";

const root = resolve(__dirname, "../..");
const rounds = 9;
const limit = 1.3;
/** Each has a company, a branding, an email and two webhooks. */
const customers = 40;

type Declare = (kind: string, name: string, args: Record<string, string>) => string;

/** A program, by how it declares a resource. Arguments are the source of expressions. */
function program(head: string, declare: Declare, idOf: (company: string) => string): string {
  const text = (value: string) => JSON.stringify(value);
  const lines = Array.from({ length: customers }, (_, i) => {
    const account = idOf(`company${i}`);
    const body = `<p>Dear {recipient first name}, customer ${i} asks you to sign.</p>\n`.repeat(20);
    return [
      `const company${i} = ${declare("Company", `company${i}`, { name: text(`Customer ${i}`), userName: text("Ann"), userEmail: text(`c${i}@example.com`) })};`,
      `${declare("Branding", `branding${i}`, { account, colour: text("#0B7285"), logoUrl: text(`https://c${i}.example.com/logo.png`) })};`,
      `${declare("BrandingEmail", `email${i}`, { account, type: text("email-send"), subject: text("Please sign: {contract title}"), content: text(body) })};`,
      `${declare("Webhook", `added${i}`, { account, type: text("add-user"), url: text(`https://c${i}.example.com/added`) })};`,
      `const signed${i} = ${declare("Webhook", `signed${i}`, { account, type: text("signed-envelope-complete"), url: `pulumi.interpolate\`https://example.com/\${company${i}.id}\`` })};`,
      `export const id${i} = pulumi.all([company${i}.id, signed${i}.id]).apply(([a, b]) => a + b);`,
    ].join("\n");
  });
  return `import * as pulumi from "@pulumi/pulumi";\n${head}\n${lines.join("\n")}\n`;
}

const listed = (args: Record<string, string>) =>
  Object.entries(args)
    .map(([key, value]) => `${key}: ${value}`)
    .join(", ");
const programs = {
  typed: program(
    'import * as esign from "pulumi-esign";',
    (kind, name, args) => `new esign.${kind}(${JSON.stringify(name)}, { ${listed(args)} })`,
    (company) => company,
  ),
  bare: program(
    // The constructor is abstract.
    "class Resource extends pulumi.CustomResource {}",
    (kind, name, args) => `new Resource("esign:index:${kind}", ${JSON.stringify(name)}, { ${listed(args)} })`,
    (company) => `${company}.id`,
  ),
};

const dir = mkdtempSync(join(tmpdir(), "bench-types-"));
const folderOf = (name: keyof typeof programs) => join(dir, name);

/** Seconds of CPU of one `tsc`, which must find nothing wrong. */
function check(name: keyof typeof programs): number {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const script = `"${process.execPath}" "${tsc}" -p . && times`;
  const { status, stdout } = spawnSync("bash", ["-c", script], { cwd: folderOf(name), encoding: "utf8" });
  if (status !== 0) throw new Error(`The program "${name}" does not compile: ${stdout.slice(0, 500)}`);
  return secondsOfChildren(stdout.trim().split("\n").at(-1)!);
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

try {
  mkdirSync(join(dir, "node_modules"));
  for (const name of ["@pulumi", "@types"])
    symlinkSync(join(root, "node_modules", name), join(dir, "node_modules", name));
  symlinkSync(root, join(dir, "node_modules/pulumi-esign"));
  for (const [name, text] of Object.entries(programs)) {
    mkdirSync(join(dir, name));
    copyFileSync(join(root, "templates/account/tsconfig.json"), join(dir, name, "tsconfig.json"));
    writeFileSync(join(dir, name, "index.ts"), text);
  }
  const costs = { typed: [] as number[], bare: [] as number[] };
  // The first pair fills the caches of the disk.
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? (["bare", "typed"] as const) : (["typed", "bare"] as const);
    for (const name of order) {
      const seconds = check(name);
      if (round > 0) costs[name].push(seconds);
    }
  }
  const ratio = median(costs.typed.map((seconds, i) => seconds / costs.bare[i]!));
  const ok = ratio <= limit;
  console.log(
    `tsc of ${5 * customers} resources: ${median(costs.typed).toFixed(2)} s of CPU, on bare CustomResource ${median(costs.bare).toFixed(2)} s`,
  );
  console.log(JSON.stringify({ bench: "types", ratio: Number(ratio.toFixed(3)), limit, ok }));
  if (!ok) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
