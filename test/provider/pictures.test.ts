/** The picture behind a logo's address is compared with the one that was sent. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { metadataKey } from "../../provider/state/metadata";
import { png, usePictureServer } from "../account-folder/picture-server";
import { onStage } from "./on-stage";
import { type Declared, isWrite, preview, update } from "./previewed";

const world = onStage();
const server = usePictureServer();
const declared = (): Declared => ({
  handler: "branding",
  name: "look",
  args: { colour: "#112233", logoUrl: server.url() },
});
const deployed = async (settings: Record<string, string> = {}): Promise<Declared> => {
  const look = declared();
  expect((await update(world, [look], { settings })).refusals).toEqual([]);
  return look;
};
const changing = (look: Declared, args: Properties): Declared => ({ ...look, args: { ...look.args, ...args } });
const hashIn = ({ state }: Declared) =>
  (state!.outs[metadataKey] as { value: { fields?: { logoUrl?: { pictureHash?: string } } } }).value.fields?.logoUrl
    ?.pictureHash;

beforeEach(() => server.shows(png("first")));

describe("a picture that changes behind the same address", () => {
  it("is in the plan, sent by the update, and not in the plan after it", async () => {
    const look = await deployed();
    expect((await preview(world, [look])).effects).toEqual([]);
    server.shows(png("second"));
    const { effects, phase } = await preview(world, [look]);
    expect(effects).toMatchObject([{ effect: "update", writes: 1, fields: [{ field: "logoUrl" }] }]);
    expect(phase.said).toEqual([
      "Branding branding: the picture behind logoUrl has changed since it was sent; this update sends it again",
    ]);
    const before = hashIn(look);
    expect((await update(world, [look])).requests.filter(isWrite)).toEqual(["PUT /v1/branding"]);
    expect(world.writes().at(-1)).toMatchObject({ fields: ["branding_logo_url"] });
    expect(hashIn(look)).not.toBe(before);
    expect((await preview(world, [look])).effects).toEqual([]);
  });

  it("is sent with other changes", async () => {
    const look = await deployed();
    server.shows(png("second"));
    const { effects } = await preview(world, [changing(look, { colour: "#445566" })]);
    expect(effects).toMatchObject([{ writes: 1, fields: [{ field: "colour" }, { field: "logoUrl" }] }]);
  });

  it("is no change where another address, or none, is declared", async () => {
    const look = await deployed();
    server.shows(png("second"));
    const { phase } = await preview(world, [changing(look, { logoUrl: server.url("/other.png") })]);
    expect(phase.said).toEqual([]);
    const without: Declared = { ...look, args: { colour: "#112233" } };
    expect((await preview(world, [without])).phase.said).toEqual([]);
  });

  it("is sent again where the update had no response", async () => {
    const look = await deployed();
    server.shows(png("second"));
    world.service.configure({ faults: [{ kind: "cut-after", method: "PUT", nth: 1 }] });
    expect((await update(world, [look], { settings: { retries: "0" } })).refusals).toHaveLength(1);
    world.service.configure({ faults: [] });
    expect((await update(world, [look])).requests.filter(isWrite)).toEqual(["PUT /v1/branding"]);
    expect((await preview(world, [look])).effects).toEqual([]);
  });

  it("is requested once in a run, whatever asks for it", async () => {
    const look = await deployed();
    server.requests.length = 0;
    await preview(world, [look, { ...look, name: "again" }]);
    expect(server.requests).toEqual(["/logo.png"]);
  });
});

describe("nothing is a change, and nothing is requested,", () => {
  it("by a state without a hash, which was written while pictures were not compared", async () => {
    const look = await deployed({ comparePictures: "false" });
    expect([hashIn(look), server.requests]).toEqual([undefined, []]);
    server.shows(png("second"));
    const { effects, phase } = await preview(world, [look]);
    expect([effects, phase.said, server.requests]).toEqual([[], [], []]);
  });

  it("where it is switched off", async () => {
    const look = await deployed();
    server.shows(png("second"));
    server.requests.length = 0;
    const { effects, phase } = await preview(world, [look], { settings: { comparePictures: "false" } });
    expect([effects, phase.said, server.requests]).toEqual([[], [], []]);
  });

  it("of other machines beside an emulator", async () => {
    const look = changing(declared(), { logoUrl: "https://www.example.com/logo.png" });
    const { refusals, phase } = await update(world, [look]);
    expect([refusals, phase.said, hashIn(look)]).toEqual([[], [], undefined]);
  });

  it("offline, which is said once", async () => {
    const look = await deployed();
    server.requests.length = 0;
    const { refusals, effects, phase } = await preview(world, [look, look], { environment: { ESIGN_OFFLINE: "1" } });
    expect([refusals, effects, server.requests]).toEqual([[], [], []]);
    expect(phase.said).toEqual([
      "Branding branding: the picture of logoUrl was not compared with the one that was sent: the preview is offline",
    ]);
  });
});

it.each([
  ["answered 500", (_, response) => response.writeHead(500).end()],
  ["neither a PNG nor a JPG", (_, response) => response.end("<html>Sign in</html>")],
  ["larger than 2 MB", (_, response) => response.end(png("x", 2_000_000))],
  ["could not be reached", (_, response) => response.socket!.destroy()],
] as [string, Parameters<typeof server.answers>[0]][])(
  "a picture that cannot be read (%s) is a notice, and no obstacle to an update",
  async (reason, listener) => {
    const look = await deployed();
    const before = hashIn(look);
    server.answers(listener);
    const { refusals, effects, phase } = await preview(world, [look]);
    expect([refusals, effects]).toEqual([[], []]);
    expect(phase.said).toEqual([expect.stringContaining(reason)]);
    expect(phase.said.join()).not.toContain(server.url());
    // What is not sent keeps its hash; what is sent has that of the picture which was sent, or none.
    const other = changing(look, { colour: "#445566" });
    expect((await update(world, [other])).refusals).toEqual([]);
    expect(hashIn(other)).toBe(before);
    const moved = changing(other, { logoUrl: server.url("/moved.png") });
    expect((await update(world, [moved])).refusals).toEqual([]);
    expect(hashIn(moved)).toBeUndefined();
  },
);
