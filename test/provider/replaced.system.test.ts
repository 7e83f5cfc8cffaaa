/** `up --replace` right after the first `up`: the engine asks for no difference before it creates, so only the previous run can have recorded that it was done. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pendingCreatesFolder } from "../../provider/recovery/pending-create-file";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { engines, Program } from "./programs";

it.each(engines)(
  'by the %s engine, of a webhook and of what has asked for an object of its own with onExisting: "create", makes another one, each time',
  async (engine) => {
    const service = await emulatorForTest();
    const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
    const program = new Program(engine);
    const ids = async () => [
      ...(await client.companies.list().all()).map(({ company_id }) => company_id),
      ...(await client.webhooks.list().all()).map(({ webhook_id }) => webhook_id),
    ];
    const records = () => readdirSync(join(program.folder, pendingCreatesFolder));
    const replace = async (name: string) => {
      const urn = (await program.state()).find((each) => each.urn.endsWith(`::${name}`))!.urn;
      return program.run("up", "--yes", "--skip-preview", "--stack", program.stack, "--replace", urn);
    };
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const own = { onExisting: "create" };
    const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false, ...own };
    program.wanted = [
      { kind: "Company", name: "firm", args: firm },
      { kind: "Webhook", name: "hook", args: { type: "all", url: "https://r.example/" } },
    ];
    await program.operate("up");
    expect(records()).toEqual([]);
    const seen = new Set(await ids());
    // The service has each address of a first user once.
    expect((await replace("firm")).output).toMatch(/userEmail: .*10353/);
    for (let n = 1; n <= 2; n++) {
      firm.userEmail = `u${n}@firm.example`;
      for (const name of ["firm", "hook"]) {
        const { code, output } = await replace(name);
        expect(code, output).toBe(0);
        expect(output).not.toMatch(/was lost/);
      }
      expect(records()).toEqual([]);
      const present = await ids();
      expect(present).toHaveLength(2);
      for (const id of present) expect(seen).not.toContain(id);
      for (const id of present) seen.add(id);
    }
  },
);
