/** The plugin as engines start it: a process from one file, without a project, which ends with its engine. */
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest, type GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files";
import { spawnPlugin } from "./spawn-plugin";

const root = resolve(__dirname, "../..");

async function schemaOf(port: number): Promise<{ name: string; resources: object }> {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const response = await new Promise<GetSchemaResponse>((resolve, reject) =>
    client.getSchema(new GetSchemaRequest(), (error, answer) => (error === null ? resolve(answer) : reject(error))),
  );
  return JSON.parse(response.getSchema());
}

test.each([
  ["in the package", () => join(root, "plugin")],
  [
    "alone in a folder",
    () => {
      const folder = temporaryFolder();
      cpSync(join(root, "dist/plugin/bin"), folder, { recursive: true });
      return join(folder, "index.js");
    },
  ],
])("%s: it serves its schema, and ends with its engine", async (_, place) => {
  const engine = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  await once(engine, "listening");
  const sockets = new Set<import("node:net").Socket>();
  engine.on("connection", (socket) => sockets.add(socket));
  const { port: enginePort } = engine.address() as import("node:net").AddressInfo;
  const { child, port } = await spawnPlugin(place(), `127.0.0.1:${enginePort}`);
  const schema = await schemaOf(port);
  expect(schema.name).toBe("esign");
  expect(Object.keys(schema.resources)).toContain("esign:index:Webhook");
  const ended = once(child, "exit");
  engine.close();
  for (const socket of sockets) socket.destroy();
  expect(await ended).toEqual([1, null]);
});

test("without Node, and on an older one, it says in one line what it needs", () => {
  const { node } = require("../../package.json").engines;
  const needs = `pulumi-resource-esign needs Node ${node.replace(">=", "")} or newer`;
  const tools = temporaryFolder();
  for (const name of ["sh", "dirname"])
    symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(tools, name));
  const started = spawnSync(join(root, "dist/plugin/bin/pulumi-resource-esign"), {
    env: { PATH: tools },
    encoding: "utf8",
  });
  expect([started.status, started.stderr]).toEqual([1, `${needs} on PATH: https://nodejs.org\n`]);

  const older = join(
    temporaryFolder({ "older.cjs": 'Object.defineProperty(process.versions, "node", { value: "20.9.0" });' }),
    "older.cjs",
  );
  const onOlder = spawnSync(process.execPath, ["--require", older, join(root, "dist/plugin/bin/index.js")], {
    encoding: "utf8",
  });
  expect([onOlder.status, onOlder.stderr]).toEqual([1, `${needs}, and this is 20.9.0: https://nodejs.org\n`]);
});
