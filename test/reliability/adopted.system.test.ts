/** Whether an object existed before the stack stays known through other names and forced replacements, on both engines. */
import { describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { type EngineName, hasPulumi, Program, type Wanted } from "../provider/programs";

const url = (name: string) => `https://${name}.example/esign`;
const hook = (account: string, name: string): Wanted => ({
  kind: "Webhook",
  name,
  args: { type: "all", url: url(account) },
});
const wanted = (suffix: string) => ["made", "found"].map((account) => hook(account, `${account}${suffix}`));

describe.each(["embedded", "pulumi"] as EngineName[])("by the %s engine", (engine) => {
  it.runIf(engine === "embedded" || hasPulumi)(
    "only what existed before the stack counts as adopted",
    { timeout: 240_000 },
    async () => {
      const service = await emulatorForTest();
      const { webhooks } = connect({ baseUrl: service.url, apiKey: service.keys.partner });
      await webhooks.create({ webhook_type: "all", webhook_url: url("found") });
      const program = new Program(engine);
      /** By name, whether it counts as adopted. */
      const adopted = async () => {
        const { output } = await program.succeed("stack", "export", "--show-secrets", "--stack", program.stack);
        const { resources } = JSON.parse(output.slice(output.indexOf("{"))).deployment;
        return Object.fromEntries(
          resources.flatMap(({ urn, outputs }: { urn: string; outputs?: { __esign?: { plaintext: string } } }) =>
            outputs?.__esign === undefined
              ? []
              : [[urn.split("::").at(-1), JSON.parse(outputs.__esign.plaintext).adopted === true]],
          ),
        );
      };
      /** The built-in engine's command runs a second time by itself. */
      const upTwice = async (...args: string[]) => {
        service.clearLog();
        const { output } = await program.operate("up", ...args);
        if (engine === "embedded") expect(output).toMatch(/a second run records .* what the former ones knew/);
        else await program.operate("up");
        expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
        expect(await program.operate("up", "--expect-no-changes")).toMatchObject({ code: 0 });
      };
      await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
      program.wanted = wanted("");
      await program.operate("up");
      expect(await adopted()).toEqual({ made: false, found: true });
      program.wanted = wanted("-b");
      await upTwice();
      expect(await adopted()).toEqual({ "made-b": false, "found-b": true });
      if (engine === "embedded") {
        const { output } = await program.succeed("destroy", "--preview-only", "--stack", program.stack);
        expect(output).toMatch(/found-b +delete .*\(adopted: existed before this stack\)$/m);
      }
      // A replaced webhook is a new one, which the stack has created.
      service.clearLog();
      await program.operate("up", "--replace", "**::made-b", "--replace", "**::found-b");
      const writes = service.requests().flatMap(({ method }) => (method === "GET" ? [] : [method]));
      expect(writes.sort()).toEqual(["DELETE", "DELETE", "POST", "POST"]);
      expect(await program.operate("up", "--expect-no-changes")).toMatchObject({ code: 0 });
      expect(await adopted()).toEqual({ "made-b": false, "found-b": false });
      if (engine === "embedded") {
        const { output } = await program.succeed("destroy", "--preview-only", "--stack", program.stack);
        expect(output).toMatch(/made-b +delete +.*made\.example\S*$/m);
        expect(output).toMatch(/found-b +delete +.*found\.example\S*$/m);
      }
      await program.operate("destroy");
      expect(await webhooks.list().all()).toEqual([]);
    },
  );
});
