// The pictures of README and docs, from the real thing: an account that was made by hand is exported, edited and deployed on the
// emulator, and its emails are rendered. `npm run pictures` after what they show has changed.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureChromium } from "../chromium.mjs";
import { build, install, root, say } from "../prepare.mjs";
import { architectureSvg } from "./architecture-svg.mjs";
import { terminalSvg } from "./terminal-svg.mjs";

const pictures = join(root, "docs/pictures");
const LARGEST = 150_000;

await install();
await build();
const { start } = createRequire(import.meta.url)(join(root, "dist/emulator/index.js"));
const home = mkdtempSync(join(tmpdir(), "esign-pictures-"));
const service = await start({
  port: 4010,
  seed: {
    account: {
      name: "Acme Contracts",
      branding: { colour: "#0B7285" },
      emails: { "email-send": { subject: "Your contract with Acme: {contract title}" } },
      webhooks: [{ type: "all", url: "https://audit.example.com/esign" }],
    },
  },
});
const env = {
  PATH: process.env.PATH,
  HOME: home,
  PULUMI_HOME: join(home, ".pulumi"),
  PULUMI_CONFIG_PASSPHRASE: "pictures",
  ESIGN_BASE_URL: service.url,
  ESIGN_API_KEY: service.keys.account,
  FORCE_COLOR: "1",
};

/** Runs `esign`; the emulator is in this process, so it must not be blocked. */
async function esign(cwd, ...args) {
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...args, "--non-interactive"], { cwd, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((done) => child.once("close", done));
  if (code !== 0) throw new Error(`esign ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}

try {
  const account = join(home, "acme");
  await esign(home, "export", "--out", account, "--stack-name", "production");
  mkdirSync(join(account, "node_modules"));
  symlinkSync(root, join(account, "node_modules/pulumi-esign"));
  for (const scope of ["@pulumi", "@types"])
    symlinkSync(join(root, "node_modules", scope), join(account, "node_modules", scope));
  await esign(account, "stack", "init", "production");
  writeFileSync(join(account, "emails/email-send/subject.txt"), "Please sign: {contract title}");
  appendFileSync(
    join(account, "account.yaml"),
    "  signed:\n    type: signed-envelope-complete\n    url: https://hooks.example.com/signed\n",
  );
  const gallery = join(home, "emails.html");
  await esign(account, "emails", "render", ".", "--out", gallery, "--baseline", "account");
  const output = await esign(account, "up", "--yes", "--engine", "embedded");
  mkdirSync(pictures, { recursive: true });
  const description =
    "esign up on an account that was made by hand: the plan adopts what exists, and writes what differs";
  writeFileSync(join(pictures, "up.svg"), terminalSvg(`$ esign up\n${output}`, { title: "acme", description }));
  writeFileSync(join(pictures, "architecture.svg"), architectureSvg());
  await screenshot(gallery, join(pictures, "emails.png"));
} finally {
  await service.close();
  rmSync(home, { recursive: true, force: true });
}

async function screenshot(page, to) {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox"] });
  const tab = await browser.newPage({ viewport: { width: 1160, height: 720 }, colorScheme: "light" });
  await tab.goto(`file://${page}`);
  await tab.waitForTimeout(500);
  await tab.screenshot({ path: to });
  await browser.close();
  const { size } = statSync(to);
  say(`docs/pictures/emails.png: ${Math.round(size / 1000)} kB`);
  if (size > LARGEST) throw new Error(`${to} has ${size} bytes; at most ${LARGEST}`);
}
