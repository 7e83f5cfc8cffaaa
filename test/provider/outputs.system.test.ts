/** What programs read from resources, with both engines. */
import { beforeAll, describe, expect, it } from "vitest";
import { start } from "../../emulator";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { hasPulumi, Program } from "./programs";

const text = `
const esign = require("pulumi-esign");
const pulumi = require("@pulumi/pulumi");
const firm = new esign.Company("firm", { name: "Firm", userName: "U", userEmail: "u@firm.example" });
const hook = new esign.Webhook("hook", { account: firm, type: "all", url: process.env.HOOK_URL });
new esign.Webhook("next", { type: "all", url: pulumi.interpolate\`https://r.example/\${hook.webhookId}/\${firm.companyId}\` });
exports.hook = hook.webhookId;
exports.firm = firm.companyId;
exports.key = firm.apiKey;
`;

const engines = hasPulumi ? (["embedded", "pulumi"] as const) : (["embedded"] as const);

describe.each(engines)("with %s", { timeout: 180_000 }, (engine) => {
  const service = useEmulator();
  const program = new Program(engine, text);
  beforeAll(async () => {
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    program.launch.environment = { HOOK_URL: "https://r.example/1" };
    await program.operate("up");
  });
  const firm = () => service.data().accounts.find(({ name }) => name === "Firm")!;
  const output = async (name: string) =>
    (await program.succeed("stack", "output", "--stack", program.stack, "--show-secrets", name)).output.trim();

  it("ids are those of the API", async () => {
    expect(await output("firm")).toBe(firm().id);
    expect(await output("hook")).toBe(firm().webhooks[0]!.id);
  });

  it("the preview of an update knows the id, so that what depends on it does not change", async () => {
    program.launch.environment = { HOOK_URL: "https://r.example/2" };
    const { output: preview } = await program.succeed("preview", "--stack", program.stack);
    expect(preview).toContain("1 to update");
    await program.operate("up");
    const [hook] = await connect({ baseUrl: service.url, apiKey: firm().key }).webhooks.list().all();
    expect(hook?.webhook_url).toBe("https://r.example/2");
  });

  it("the new key of a subaccount is an output after one run, which the preview shows and which writes nothing", async () => {
    const key = await service.rotateKey(firm().id);
    const { output: preview } = await program.succeed("preview", "--stack", program.stack);
    expect(preview).toMatch(/1 to update|~ +Company +firm/);
    expect(preview).toContain("this update records its new apiKey");
    service.clearLog();
    await program.operate("up");
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await output("key")).toBe(key);
    await program.operate("up", "--expect-no-changes");
  });
});

it.each(engines)("all invalid resources are reported at once, with %s", { timeout: 180_000 }, async (engine) => {
  const service = await start();
  const program = new Program(
    engine,
    `
const esign = require("pulumi-esign");
const pulumi = require("@pulumi/pulumi");
new esign.Webhook("one", { type: "all", url: "hush" });
new esign.Branding("good", { colour: "#112233" });
new esign.BrandingEmail("two", { type: "email-sen", subject: "hush" });
const late = pulumi.output(Promise.resolve("https://r.example/"));
new esign.Webhook("three", { type: "al", url: late, acount: "1" });
`,
  );
  try {
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const { code, output } = await program.run("preview", "--stack", program.stack);
    expect(code).not.toBe(0);
    // The Pulumi CLI names the resource that it checks first in its own way, and prints a diagnostic while it runs and at the end.
    const issues = (kind: string, name: string, rest: string) =>
      output.match(new RegExp(`(${kind} "${name}"|'${name}' has a problem: ${kind}): ${rest}`, "g"))?.length;
    const times = engine === "pulumi" ? 2 : 1;
    expect(issues("Webhook", "one", "url ")).toBe(times);
    expect(issues("BrandingEmail", "two", "type ")).toBe(times);
    expect(issues("Webhook", "three", 'type .*did you mean "all"')).toBe(times);
    expect(issues("Webhook", "three", 'acount is not an argument of Webhook, did you mean "account"')).toBe(times);
    expect(output).not.toContain("hush");
  } finally {
    await service.close();
  }
});
