/** With any engine, in both forms: the picture behind a logo's address is sent again when it has changed, and a logo that was replaced in the account is drift. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { png, usePictureServer } from "../account-folder/picture-server";
import { useEmulator } from "../emulator/use-emulator";
import { engines, formsOf, Program } from "./programs";

const worlds = engines.flatMap((engine) => formsOf(engine, "dynamic", "plugin").map((form) => [engine, form] as const));

describe.each(worlds)("a logo that was replaced in the account, with the %s engine in the %s form", (engine, form) => {
  const service = useEmulator({ logoAddress: "fresh" });
  const client = () => connect({ baseUrl: service.url, apiKey: service.keys.partner });
  const replace = () => client().branding.update({ branding_logo_url: "https://colleague.example/theirs.png" });
  let program: Program;

  beforeAll(async () => {
    program = new Program(engine, undefined, form);
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const args = { colour: "#558caa", logoUrl: "https://www.example.com/ours.png" };
    program.wanted = [{ kind: "Branding", name: "look", args }];
    await program.operate("up");
    await program.operate("refresh", "--expect-no-changes");
  });

  it("is in `drift`, in `preview --refresh` and in `refresh`, and `up` reverts it", async () => {
    const drift = async () => (await program.succeed("drift", "--stack", program.stack)).output;
    // It runs no program, and no engine.
    if (engine === "embedded") expect(await drift()).toContain("No drift.");
    await replace();
    if (engine === "embedded") expect(await drift()).toMatch(/logo: .*ours\.png.*1 resource drifted/s);
    const preview = ["preview", "--refresh", "--expect-no-changes", "--stack", program.stack];
    expect((await program.run(...preview)).code).not.toBe(0);
    const { output } = await program.operate("refresh");
    expect(output).toContain("the account has another picture of logoUrl");
    service.clearLog();
    await program.operate("up");
    expect(service.requests().filter(({ method }) => method === "PUT")).toMatchObject([
      { fields: ["branding_logo_url"] },
    ]);
    await program.operate("refresh", "--expect-no-changes");
  });
});

describe.each(engines)("a changed picture with the %s engine", (engine) => {
  const service = useEmulator();
  const server = usePictureServer();
  let program: Program;
  const writes = () => service.requests().flatMap(({ method, fields }) => (method === "GET" ? [] : [fields]));

  beforeAll(async () => {
    program = new Program(engine);
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    server.shows(png("first"));
    const args = { colour: "#558caa", logoUrl: server.url() };
    program.wanted = [{ kind: "Branding", name: "look", args }];
    await program.operate("up");
    await program.operate("up", "--expect-no-changes");
  });

  it("is planned, sent once, and no change after that, also after a refresh", async () => {
    server.shows(png("second"));
    service.clearLog();
    const { output } = await program.succeed("preview", "--stack", program.stack);
    expect(output).toContain("the picture behind logoUrl has changed since it was sent; this update sends it again");
    expect(writes()).toEqual([]);
    await program.operate("up");
    expect(writes()).toEqual([["branding_logo_url"]]);
    await program.operate("up", "--expect-no-changes");
    await program.operate("up", "--refresh", "--expect-no-changes");
    expect(writes()).toHaveLength(1);
  });

  it("that changes after a plan was saved violates the plan", async () => {
    const plan = join(program.folder, "plan.json");
    await program.succeed("preview", "--stack", program.stack, "--save-plan", plan);
    server.shows(png("later"));
    service.clearLog();
    const { code, output } = await program.run("up", "--yes", "--stack", program.stack, "--plan", plan);
    expect(code).not.toBe(0);
    expect(output).toMatch(/the plan does not allow this|violates plan|not allowed by the plan/);
    expect(writes()).toEqual([]);
    await program.operate("up");
    expect(writes()).toEqual([["branding_logo_url"]]);
  });

  it("is not compared where the setting is off, and where it cannot be read", async () => {
    service.clearLog();
    server.shows(png("third"));
    await program.configure("esign:comparePictures", "false");
    await program.operate("up", "--expect-no-changes");
    await program.configure("esign:comparePictures", "true");
    server.answers((_, response) => response.writeHead(503).end());
    await program.operate("up", "--expect-no-changes");
    expect(writes()).toEqual([]);
  });
});
