/** The emulator as a service in other teams' tests: in another network, with a token that is known, and gone with its test. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { save, temporaryFolder } from "../files";
import { bareEnv, main, root } from "./esign";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const firstLine = async (child: ChildProcess): Promise<string> => {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return String((await lines.next()).value);
};

const manual = join(root, "docs/how-to/emulator");
const compose = parse(readFileSync(join(manual, "compose.yaml"), "utf8")).services;
/** What follows the name of the command in the documented container. */
const documentedArgs: string[] = [
  ...JSON.parse(/^ENTRYPOINT (.*)$/m.exec(readFileSync(join(manual, "Dockerfile"), "utf8"))![1]!).slice(1),
  ...compose.esign.command,
];

/** Two networks with one cable, as two containers have; undefined where this machine does not allow it. */
function networks() {
  const id = process.pid % 10_000;
  const [service, app] = [`esign-s${id}`, `esign-a${id}`];
  const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });
  const remove = () => {
    for (const name of [service, app])
      try {
        ip("netns", "delete", name);
      } catch {
        // It was not made.
      }
  };
  try {
    for (const name of [service, app]) ip("netns", "add", name);
    ip("link", "add", `es${id}`, "netns", service, "type", "veth", "peer", "name", `ea${id}`, "netns", app);
    const addresses = { service: "10.213.7.1", app: "10.213.7.2" };
    for (const [name, link, address] of [
      [service, `es${id}`, addresses.service],
      [app, `ea${id}`, addresses.app],
    ] as const) {
      ip("-n", name, "address", "add", `${address}/24`, "dev", link);
      ip("-n", name, "link", "set", link, "up");
      ip("-n", name, "link", "set", "lo", "up");
    }
    return { service, app, addresses, remove };
  } catch {
    remove();
    return undefined;
  }
}

const probe = process.platform === "linux" ? networks() : undefined;
probe?.remove();

/** What the application does: it receives, and is a client. */
const application = `
  const { createServer } = require("node:http");
  const [base, own, key, token] = process.argv.slice(2);
  const received = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part)).on("end", () => {
      received.push(new URLSearchParams(body).get("action"));
      response.end();
    });
  }).listen(3000, "0.0.0.0", async () => {
    const call = async (method, path, body, authorization = "Basic " + btoa(key + ":x")) => {
      const init = { method, headers: { authorization, "content-type": "application/json" } };
      const response = await fetch(base + path, { ...init, ...(body && { body: JSON.stringify(body) }) });
      return { status: response.status, body: await response.json() };
    };
    const url = (host) => "http://" + host + ":3000/esign";
    for (const host of [own, "10.213.7.9"])
      await call("POST", "/v1/webhooks", { webhook_type: "add-contact", webhook_url: url(host) });
    const { status } = await call("POST", "/v1/contacts", { contact_name: "Ann", contact_email: "ann@b.example" });
    for (let n = 0; n < 100 && received.length === 0; n++) await new Promise((done) => setTimeout(done, 50));
    const control = (authorization) => call("GET", "/_control/deliveries", undefined, authorization);
    const { deliveries } = (await control("Bearer " + token)).body;
    const envelope = await call("GET", "/v1/envelopes/envelope-signed");
    console.log(JSON.stringify({
      status, received,
      states: deliveries.filter((one) => !one.url.includes("app")).map((one) => one.state).sort(),
      unauthorized: (await control("Bearer another-token-of-mine")).status,
      title: envelope.body.envelope_title,
    }));
    process.exit();
  });`;

describe("in a network of its own", () => {
  test.skipIf(probe === undefined)(
    "the documented container serves and notifies the other one, and no third",
    async () => {
      const net = networks()!;
      onTestFinished(net.remove);
      const folder = temporaryFolder({ "app.js": application });
      const { ESIGN_EMULATOR_CONTROL_TOKEN: token } = compose.esign.environment;
      const args = documentedArgs.map((arg) => (arg === "/seed.yaml" ? join(manual, "seed.yaml") : arg));
      const command = [
        "netns",
        "exec",
        net.service,
        process.execPath,
        main,
        ...args,
        "--notify-host",
        net.addresses.app,
      ];
      const service = spawn("ip", [...command, "--json"], {
        cwd: folder,
        env: { ...bareEnv(folder), ESIGN_EMULATOR_CONTROL_TOKEN: token },
      });
      children.push(service);
      const started = await firstLine(service);
      expect(JSON.parse(started)).toMatchObject({ event: "listening" });
      expect(started).not.toContain(token);
      const { ESIGN_API_KEY: key } = compose.app.environment;
      const app = spawn(
        "ip",
        [
          "netns",
          "exec",
          net.app,
          process.execPath,
          join(folder, "app.js"),
          `http://${net.addresses.service}:4010`,
          net.addresses.app,
          key,
          token,
        ],
        { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
      );
      children.push(app);
      expect(JSON.parse(await firstLine(app))).toEqual({
        status: 200,
        received: ["add-contact"],
        states: ["delivered", "skipped-external"],
        unauthorized: 401,
        title: "Lease of flat 4",
      });
    },
  );
});

describe("--exit-with-stdin", () => {
  /** A test that starts the emulator, and never ends it. */
  const careless = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, [${JSON.stringify(main)}, "emulator", "--memory", "--json", ...process.argv.slice(2)],
      { stdio: ["pipe", "pipe", "inherit"] });
    child.stdout.once("data", (line) => { process.stdout.write(line); });
    setInterval(() => {}, 1000);`;
  const isRunning = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    [["--exit-with-stdin"], false],
    [[], true],
  ])("with %j, an emulator outlives a killed test: %s", async (options, outlives) => {
    const folder = temporaryFolder({ "careless.js": careless });
    const killed = spawn(process.execPath, [join(folder, "careless.js"), ...options], {
      cwd: folder,
      env: bareEnv(folder),
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(killed);
    const { pid } = JSON.parse(await firstLine(killed)) as { pid: number };
    onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
    killed.kill("SIGKILL");
    await once(killed, "exit");
    if (outlives) await wait(500);
    else await expect.poll(() => isRunning(pid)).toBe(false);
    expect(isRunning(pid)).toBe(outlives);
  });
});

test("a control token of one's own protects the control endpoints on this machine, too", async () => {
  const folder = temporaryFolder();
  save(folder, {});
  const token = "token-of-these-tests";
  const service = spawn(
    process.execPath,
    [main, "emulator", "--memory", "--json", "--show-keys", "--control-token", token],
    {
      cwd: folder,
      env: bareEnv(folder),
    },
  );
  children.push(service);
  const line = await firstLine(service);
  expect(line).not.toContain(token);
  const { url } = JSON.parse(line) as { url: string };
  expect((await fetch(`${url}/_control/keys`)).status).toBe(401);
  expect((await fetch(`${url}/_control/keys`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});
