/** What existed before the stack stays known through other names and forced replacements: `esign up` ends when the state has it. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { type EngineName, hasPulumi, Program } from "../provider/programs";
import { branding, webhook } from "./wanted";

const url = (name: string) => `https://${name}.example/esign`;
const wanted = (suffix: string) => [
  ...["made", "found"].map((name) => webhook({ url: url(name) }, name + suffix)),
  webhook({ url: url("replaced"), onExisting: "create" }, "replaced"),
  branding({}, `branding${suffix}`),
];

describe.each(["embedded", "pulumi"] as EngineName[])("by the %s engine", (engine) => {
  const isEmbedded = engine === "embedded";
  it.runIf(isEmbedded || hasPulumi)("only what existed before counts as adopted", async () => {
    const service = await emulatorForTest();
    const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
    await client.webhooks.create({ webhook_type: "all", webhook_url: url("found") });
    const original = await client.branding.get();
    const program = new Program(engine);
    const forget = () => rmSync(join(program.folder, ".esign"), { recursive: true, force: true });
    /** Of each webhook, whether it counts as adopted. */
    const adopted = async () => {
      const { output } = await program.succeed("stack", "export", "--show-secrets", "--stack", program.stack);
      const { resources } = JSON.parse(output.slice(output.indexOf("{"))).deployment;
      return Object.fromEntries(
        resources.flatMap(({ urn, outputs }: { urn: string; outputs?: { __esign?: { plaintext: string } } }) =>
          outputs?.__esign === undefined || !/:Webhook::/.test(urn)
            ? []
            : [[urn.split("::").at(-1), JSON.parse(outputs.__esign.plaintext).adopted === true]],
        ),
      );
    };
    const up = async (...args: string[]) => {
      service.clearLog();
      const { output } = await program.operate("up", ...args);
      const writes = service.requests().flatMap(({ method, operation }) => (method === "GET" ? [] : [operation]));
      return { output, writes: writes.sort() };
    };
    const toDestroy = async () => (await program.succeed("destroy", "--preview-only", "--stack", program.stack)).output;
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    program.wanted = wanted("");
    await up();
    expect(await adopted()).toEqual({ made: false, found: true, replaced: false });

    // The built-in engine's command runs a second time by itself, which does not replace again, and has the state alone.
    if (isEmbedded) forget();
    program.wanted = wanted("-b");
    const renamed = await up("--replace", "**::replaced");
    expect(renamed.writes).toEqual(["webhooks.create", "webhooks.delete"]);
    if (isEmbedded) expect(renamed.output).toMatch(/A second run records in the state what only the former ones knew/);
    else expect((await up()).writes).toEqual([]);
    if (isEmbedded) forget();
    expect((await up("--expect-no-changes")).output).not.toMatch(/second run/);
    expect(await adopted()).toEqual({ "made-b": false, "found-b": true, replaced: false });
    if (isEmbedded) expect(await toDestroy()).toMatch(/found-b +delete .*\(adopted: existed before this stack\)$/m);

    // A replaced webhook is a new one, which the stack has created.
    const { writes } = await up("--replace", "**::made-b", "--replace", "**::found-b");
    expect(writes).toEqual(["webhooks.create", "webhooks.create", "webhooks.delete", "webhooks.delete"]);
    await up("--expect-no-changes");
    expect(await adopted()).toEqual({ "made-b": false, "found-b": false, replaced: false });
    if (isEmbedded) {
      const output = await toDestroy();
      expect(output).toMatch(/made-b +delete +.*made\.example\S*$/m);
      expect(output).toMatch(/found-b +delete +.*found\.example\S*$/m);
    }
    if (isEmbedded) forget();
    await program.operate("destroy");
    expect(await client.webhooks.list().all()).toEqual([]);
    expect(await client.branding.get()).toEqual(original);
  });
});
