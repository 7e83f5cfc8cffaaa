/** The plugin as engines start it: a process from one file, without a project, which ends with its engine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest, type GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files";

const root = resolve(__dirname, "../..");

/** Starts it with the address of an engine. Resolves when it has printed its port. */
async function start(file: string, engine: string) {
  const child = spawn(process.execPath, [file, engine], { cwd: temporaryFolder(), stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { child, port: Number(String(line)) };
}

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
      const file = join(temporaryFolder(), "index.js");
      copyFileSync(join(root, "dist/plugin/bin/index.js"), file);
      return file;
    },
  ],
])("%s: it serves its schema, and ends with its engine", async (_, place) => {
  const engine = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  await once(engine, "listening");
  const sockets = new Set<import("node:net").Socket>();
  engine.on("connection", (socket) => sockets.add(socket));
  const { port: enginePort } = engine.address() as import("node:net").AddressInfo;
  const { child, port } = await start(place(), `127.0.0.1:${enginePort}`);
  const schema = await schemaOf(port);
  expect(schema.name).toBe("esign");
  expect(Object.keys(schema.resources)).toContain("esign:index:Webhook");
  const ended = once(child, "exit");
  engine.close();
  for (const socket of sockets) socket.destroy();
  expect(await ended).toEqual([1, null]);
});
