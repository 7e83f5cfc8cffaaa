/** A logo that was replaced in the web app: the account's copy has other bytes than after the last write. */
import { beforeEach, describe, expect, it } from "vitest";
import { PictureReader } from "../../account-folder/pictures/picture-reader";
import { png, usePictureServer } from "../account-folder/picture-server";
import { serve } from "../sdk/server";
import type { Managed } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();
const declared = { logoUrl: "https://cdn.example/ours.png", colour: "#112233" };
const byHand = (source: string) => world.client.branding.update({ branding_logo_url: source });
const live = async () => (await world.client.branding.get()).branding_logo;
const other = "the account has another picture";

describe.each(["stable", "fresh"] as const)("where addresses of copies are %s", (logoAddress) => {
  beforeEach(() => world.service.configure({ logoAddress }));

  it("a replaced logo is drift, which an update reverts, and which ends by itself with the old picture", async () => {
    const made = await world.create("branding", declared);
    const same = await made.read();
    expect([same.inputs.logoUrl, same.outs, same.said]).toEqual([declared.logoUrl, made.outs, ""]);

    await byHand("https://colleague.example/theirs.png");
    const drifted = await made.read();
    expect(drifted.said).toContain(other);
    expect(drifted.inputs.logoUrl).toContain("http://127.0.0.1");
    expect(drifted.inputs.colour).toBe(declared.colour);
    // Whatever address the copy has, another refresh shows no other drift.
    const again = await drifted.read();
    expect(again.outs).toEqual(drifted.outs);

    expect(await again.differs(declared)).toBe(true);
    const reverted = await again.update(declared);
    expect((await reverted.read()).said).toBe("");
    expect(await reverted.differs(declared)).toBe(false);

    await byHand(declared.logoUrl);
    const back = await drifted.read();
    expect([back.inputs.logoUrl, back.said]).toEqual([declared.logoUrl, ""]);
  });

  it("a replacement that no plan has shown is a conflict of an update of the logo, and none of another field", async () => {
    const made = await world.create("branding", declared);
    await byHand("https://colleague.example/theirs.png");
    await expect(made.update({ ...declared, logoUrl: "https://cdn.example/new.png" })).rejects.toThrow(
      /conflict: logoUrl changed outside Pulumi/,
    );
    await expect(made.delete()).rejects.toThrow(/conflict: logoUrl/);
    const theirs = await live();
    const coloured = await made.update({ ...declared, colour: "#445566" });
    if (logoAddress === "stable") expect(await live()).toBe(theirs);
    // It is drift still, and a second replacement after a refresh is another one.
    const drifted = await coloured.read();
    expect(drifted.said).toContain(other);
    await byHand("https://colleague.example/third.png");
    await expect(drifted.update(declared)).rejects.toThrow(/conflict: logoUrl/);
    expect((await (await drifted.read()).update(declared)).said).toBe("");
  });

  it("an adopted or imported logo has its picture for the past", async () => {
    await byHand("https://cdn.example/ours.png");
    const imported = await world.phase().branding.read("branding", {});
    const adopted = await world.create("branding", { logoUrl: (await live())! });
    await byHand("https://colleague.example/theirs.png");
    expect((await adopted.read()).said).toContain(other);
    const read = await adopted.having(imported.props!).read();
    expect(read.said).toContain(other);
  });
});

describe("behind a service that keeps its pictures on a server of their own", () => {
  const pictures = usePictureServer();
  let address = "";
  let url = "";

  beforeEach(async () => {
    pictures.shows(png("ours"));
    address = pictures.url("/copy-1.png");
    const gateway = await serve(async ({ method, url, body, headers }) => {
      const authorization = headers.authorization!;
      const sent = method === "PUT" ? { body: new URLSearchParams(body) } : {};
      const response = await fetch(world.service.url + url, { method, headers: { authorization }, ...sent });
      const text = await response.text();
      return { body: text.replace(/"branding_logo":"[^"]*"/, () => `"branding_logo":${JSON.stringify(address)}`) };
    });
    url = gateway.url;
  });
  const phase = (settings: Record<string, string> = {}) => world.phase({ baseUrl: url, ...settings });
  const deploy = (settings?: Record<string, string>): Promise<Managed> =>
    world.create("branding", declared, phase(settings));
  const read = (made: Managed, settings?: Record<string, string>) => made.read(phase(settings));
  const broken: Parameters<typeof pictures.answers>[0] = (_, response) => response.writeHead(403).end();

  it("bytes count, wherever they are, and are read once in a run", async () => {
    const made = await deploy();
    address = pictures.url("/moved/copy.png?token=1");
    expect((await read(made)).said).toBe("");
    pictures.shows(png("theirs"));
    pictures.requests.length = 0;
    const look = phase();
    expect((await made.read(look)).said).toContain(other);
    await made.read(look);
    expect(pictures.requests).toEqual(["/moved/copy.png?token=1"]);
  });

  it.each([
    ["answers 403", broken, "answered 403"],
    ["is an error page", (_, response) => response.end("<html>Sign in</html>"), "neither a PNG nor a JPG"],
  ] as [string, typeof broken, string][])("what %s is said once, and is no drift", async (_, listener, reason) => {
    const made = await deploy();
    pictures.answers(listener);
    const look = phase();
    const same = await made.read(look);
    await made.read(look);
    expect(same.inputs.logoUrl).toBe(declared.logoUrl);
    expect(look.said).toEqual([expect.stringContaining(reason)]);
    expect(look.said.join()).not.toContain(pictures.url(""));
  });

  it("a drift that is displayed stays while the picture cannot be read", async () => {
    const made = await deploy();
    pictures.shows(png("theirs"));
    const drifted = await read(made);
    pictures.answers(broken);
    expect((await read(drifted)).outs).toEqual(drifted.outs);
  });

  it("where none can be read, an address that two reads agree on counts, without its query", async () => {
    pictures.answers(broken);
    const made = await deploy();
    address = pictures.url("/copy-1.png?expires=2");
    expect((await read(made)).said).toBe("");
    address = pictures.url("/copy-2.png?expires=3");
    const drifted = await read(made);
    expect(drifted.said).toContain(other);
    expect(drifted.inputs.logoUrl).toBe(address);
  });

  it("an address that changes at each read does not count", async () => {
    pictures.answers(broken);
    let count = 0;
    const fresh = { toString: () => pictures.url(`/copy-${count++}.png`) };
    Object.assign(fresh, { toJSON: fresh.toString });
    address = fresh as unknown as string;
    const made = await deploy();
    const look = await read(made);
    expect([look.inputs.logoUrl, look.said]).toEqual([declared.logoUrl, expect.stringContaining("none is recorded")]);
  });

  it("where it is switched off, nothing is requested or recorded", async () => {
    const off = { comparePictures: "false" };
    const made = await deploy(off);
    pictures.shows(png("theirs"));
    const look = await read(made, off);
    expect([look.inputs.logoUrl, look.said, pictures.requests]).toEqual([declared.logoUrl, "", []]);
    // A state from before: the next write of the resource records the current one.
    expect((await read(made)).outs).toEqual(made.outs);
    const written = await made.update({ ...declared, colour: "#445566" }, phase());
    pictures.shows(png("third"));
    expect((await read(written)).said).toContain(other);
  });
});

it("an address in a private network is not read for a service outside", async () => {
  const reader = new PictureReader();
  for (const url of [
    "http://10.0.0.1/logo.png",
    "http://169.254.169.254/x",
    "http://localhost/a.png",
    "http://printer/a.png",
  ])
    expect(await reader.hashOfCopy(url, "https://api.vendor.example")).toEqual({
      failure: "its address is in a private network",
    });
});
