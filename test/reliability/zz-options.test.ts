// scratch: not to be committed
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { type Fault, start } from "../../emulator";
import { type EngineName, Program, type Wanted } from "../provider/programs";
import { disagreements, likeness, ownedBy } from "./agreement";
import { Line } from "./line";
import { family, kill, send, survivors } from "./processes";

const company = (name: string, title: string, more = {}): Wanted => {
  const userEmail = `u@${title.toLowerCase()}.example`;
  return { kind: "Company", name, args: { name: title, userName: "U", userEmail, deletionProtection: false, ...more } };
};
const edition = (n: number): Wanted[] => [
  { kind: "Branding", name: "branding", args: { colour: `#0000${String(n % 100).padStart(2, "0")}` } },
  { kind: "BrandingEmail", name: "email", args: { type: "email-send", subject: `${n}: {contract title}` } },
  {
    kind: "BrandingEmail",
    name: "replaced",
    args: { type: n % 2 ? "email-signed" : "email-rejected", subject: "{contract title}" },
  },
  company("firm", "Firm", { email: `office${n}@firm.example` }),
  company(`firm-${n % 3}`, `F${n % 3}`),
  { kind: "Webhook", name: "in", args: { type: "all", url: `https://r.example/in${n}`, account: "firm" } },
  { kind: "Branding", name: "inlook", args: { colour: `#0001${String(n % 100).padStart(2, "0")}`, account: "firm" } },
  { kind: "Webhook", name: "inside", args: { type: "all", url: "https://r.example/in", account: `firm-${n % 3}` } },
  { kind: "Webhook", name: "hook", args: { type: "all", url: `https://r.example/${n}` } },
  { kind: "Webhook", name: `hook-${n % 4}`, args: { type: "add-user", url: `https://r.example/u${n}` } },
  { kind: "Webhook", name: `named-${n % 2}`, args: { type: "add-contact", url: "https://r.example/renamed" } },
];
const engine = process.env.ENGINE as EngineName;
let seed = Number(process.env.SEED ?? 1);
const random = () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const some = (list: string[], most: number) =>
  Array.from(new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => one(list))));

it(`options ${engine}`, { timeout: 3_600_000 }, async () => {
  const end = Date.now() + 1000 * Number(process.env.SLICE ?? 60);
  const service = await start();
  const line = await Line.to(service.url);
  const program = new Program(engine);
  const original = JSON.stringify(await likeness(service));
  const states = join(program.home, "state/.pulumi/stacks/program");
  const mend = () => {
    for (const name of readdirSync(states)) if (statSync(join(states, name)).size === 0) rmSync(join(states, name));
    if (!existsSync(join(states, "dev.json"))) copyFileSync(join(states, "dev.json.bak"), join(states, "dev.json"));
  };
  let n = 1;
  program.wanted = edition(n);
  await program.begin({ apiKey: service.keys.partner, baseUrl: line.url });
  await program.succeed("config", "set", "--stack", program.stack, "esign:retries", "0");
  await program.operate("up");
  let steps = 0;
  const tally: Record<string, number> = {};
  while (Date.now() < end) {
    steps++;
    const was = seed;
    const said: string[] = [];
    const problems: string[] = [];
    const before = program.wanted;
    try {
      const verb = one(["up", "up", "up", "up", "refresh", "destroy"] as const);
      if (verb === "up") program.wanted = edition(random() < 0.8 ? ++n : n);
      const names = [...new Set([...program.wanted, ...before].map(({ name }) => `**::${name}`))];
      const options: string[] = [];
      const kind = one(
        verb === "up"
          ? ["target", "target", "exclude", "exclude", "replace", "replace", "none"]
          : ["target", "exclude"],
      );
      if (kind === "target") {
        for (const name of some(names, 3)) options.push("--target", name);
        if (random() < (verb === "refresh" ? 0 : 0.6)) options.push("--target-dependents");
      }
      if (kind === "exclude") for (const name of some(names, 3)) options.push("--exclude", name);
      if (kind === "exclude" && verb !== "refresh" && random() < 0.5) options.push("--exclude-dependents");
      const urns = (await program.state()).filter(({ type }) => type.includes("esign")).map(({ urn }) => urn);
      if (kind === "replace") for (const urn of some(urns, 2)) options.push("--replace", urn);
      if (verb === "up" && random() < 0.4) options.push("--refresh");
      if (random() < 0.3) options.push("--continue-on-error");
      if (verb === "refresh") {
        const at = options.indexOf("--continue-on-error");
        if (at >= 0) options.splice(at, 1);
      }
      const blow = one(["fault", "kill", "kill", "none"]);
      const args = [verb, "--yes", "--skip-preview", "--stack", program.stack, ...options];
      said.push(args.join(" "));
      let struckKind = "nothing";
      if (blow !== "kill") {
        const fault = one<Fault>([
          { kind: "cut-after" },
          { kind: "cut-before" },
          { kind: "status", status: 503 },
          { kind: "status", status: 429 },
          { kind: "html" },
          { kind: "html", commit: false },
          { kind: "empty" },
          { kind: "status", status: 403 },
        ] as Fault[]);
        const nth = 1 + Math.floor(random() * 12);
        const method = random() < 0.6 ? one(["PUT", "POST", "DELETE"]) : undefined;
        if (blow === "fault")
          service.configure({
            faults: [{ ...fault, nth: method ? Math.ceil(nth / 3) : nth, ...(method && { method }) } as Fault],
          });
        said.push(blow === "fault" ? JSON.stringify(service.settings.faults) : "no fault");
        const { code, output } = await program.run(...args);
        struckKind = Object.keys(service.counts().byFault).length ? "fault" : "nothing";
        said.push(`ended with ${code}`);
        if (code !== 0 && process.env.SHOW) said.push(output.slice(-1500));
        service.configure({ faults: [] });
      } else {
        const victim = one(["engine", "provider"] as const);
        const moment = one(["before", "after"] as const);
        const count = 1 + Math.floor(random() * 6);
        said.push(`kill ${victim} ${moment} write ${count}`);
        const asked = mkdtempSync(join(program.home, "asked-"));
        if (engine === "pulumi")
          program.launch = { environment: { NODE_OPTIONS: `-r ${join(__dirname, "asked.cjs")}`, ASKED: asked } };
        const atWrite = line.strikeAt(moment, count).then(() => true);
        const run = program.start(...args);
        program.launch = {};
        const isStruck = await Promise.race([atWrite, run.outcome.then(() => false)]);
        const members = await family(run.pid);
        const isKilled = isStruck && (await kill(run.pid, victim));
        if (isKilled) line.cut();
        else line.release();
        if (isKilled) {
          struckKind = `kill ${victim}`;
          const hasToEnd = ({ pid }: { pid: number }) => engine === "embedded" || existsSync(join(asked, String(pid)));
          if (victim !== "engine") await run.outcome;
          for (const { pid } of await survivors(members, hasToEnd)) send(pid, "SIGKILL");
          await run.outcome;
          if (engine === "pulumi") {
            if (victim === "engine") mend();
            await program.succeed("cancel", "--yes", "--stack", program.stack);
          }
        } else {
          const { code, output } = await run.outcome;
          said.push(`not killed, ${code}`);
          if (code !== 0 && process.env.SHOW) said.push(output.slice(-1500));
        }
        said.push(struckKind);
      }
      const key = `${verb} ${kind} ${struckKind}`;
      tally[key] = (tally[key] ?? 0) + 1;
      // What the CLI asks for, after a kill.
      if (engine === "pulumi" && verb === "destroy") {
        const r = await program.run("refresh", "--yes", "--skip-preview", "--stack", program.stack);
        said.push(`refresh ${r.code}`);
        if (r.code !== 0) problems.push(r.output.slice(-1500));
      }
      if (random() < 0.3) program.wanted = before;
      let { code, output } = await program.run("up", "--yes", "--skip-preview", "--stack", program.stack);
      said.push(`clean up ${code}`);
      if (code !== 0 && /it is gone from the account; run `refresh`/.test(output)) {
        said.push("asked for refresh");
        await program.run("refresh", "--yes", "--skip-preview", "--stack", program.stack);
        ({ code, output } = await program.run("up", "--yes", "--skip-preview", "--stack", program.stack));
      }
      if (code !== 0) {
        problems.push(`the clean up ended with ${code}: ${output.slice(-2500)}`);
        ({ code, output } = await program.run("up", "--yes", "--skip-preview", "--refresh", "--stack", program.stack));
        problems.push(`with --refresh: ${code} ${code === 0 ? "" : output.slice(-1500)}`);
      }
      problems.push(...disagreements(service.data(), await ownedBy(program)));
      service.clearLog();
      const again = await program.run("up", "--yes", "--skip-preview", "--stack", program.stack);
      if (again.code !== 0) problems.push(`again: ${again.code} ${again.output.slice(-1500)}`);
      const asked = service.requests().map(({ method, operation }) => `${method} ${operation}`);
      if (asked.length > 0) problems.push(`asked for nothing: ${asked} ${again.output.slice(-1500)}`);
      if (steps % 6 === 0) {
        const gone = await program.run("destroy", "--yes", "--skip-preview", "--stack", program.stack);
        if (gone.code !== 0) problems.push(`destroy: ${gone.output.slice(-1500)}`);
        const now = JSON.stringify(await likeness(service));
        if (now !== original) problems.push(`not put back: ${now}\n${original}`);
        await program.operate("up");
      }
    } catch (error) {
      problems.push(String(error));
    }
    const text = `#${steps} seed ${was}: ${said.join(" | ")}`;
    if (problems.length > 0) console.log(`PROBLEM ${text}\n  ${problems.join("\n  ")}\nPROBLEM END`);
    else console.log(`good ${text}`);
    if (problems.length > 0) {
      await program.run("cancel", "--yes", "--stack", program.stack);
      await program.run("up", "--yes", "--skip-preview", "--refresh", "--stack", program.stack);
    }
  }
  console.log(`${steps} steps`, tally);
  program.end();
  line.close();
  await service.close();
});
