/** `logoUrl: null` on its way through both engines: declared, unchanged, declared as a URL, undone. */
import { expect, it } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { hasPulumi, Program } from "./programs";

it.each(hasPulumi ? (["embedded", "pulumi"] as const) : (["embedded"] as const))(
  "a logo is removed and comes back, with %s",
  { timeout: 180_000 },
  async (engine) => {
    const service = await emulatorForTest({ edition: "current" });
    const program = new Program(engine);
    const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current" });
    const logo = async () => (await client.branding.get()).branding_logo;
    const writes = () => service.requests().filter(({ method }) => method !== "GET").length;
    const up = async (logoUrl: string | null) => {
      program.wanted = [{ kind: "Branding", name: "look", args: { logoUrl } }];
      service.clearLog();
      await program.operate("up");
    };
    program.launch.environment = { ESIGN_EDITION: "current" };
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const original = await logo();
    await up(null);
    expect(await logo()).toBeNull();
    await up(null);
    expect(writes()).toBe(0);
    await up("https://www.example.com/logo.png");
    expect(await logo()).toContain("/logos/");
    await up(null);
    expect([await logo(), writes()]).toEqual([null, 1]);
    await program.operate("refresh");
    await up(null);
    expect(writes()).toBe(0);
    await program.operate("destroy");
    expect(await logo()).toBe(original);
  },
);
