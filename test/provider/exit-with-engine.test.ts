import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { engineAddress, watchEngine } from "../../provider/session/exit-with-engine";

it("the engine's address is known in the SDK's provider process only", () => {
  const script = "/p/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js";
  expect(engineAddress(["node", script, "127.0.0.1:4711"])).toEqual({ host: "127.0.0.1", port: 4711 });
  expect(engineAddress(["node", script, "--logtostderr", "127.0.0.1:4711"])).toMatchObject({ port: 4711 });
  expect(engineAddress(["node", script])).toBeUndefined();
  expect(engineAddress(["node", "/p/index.js", "127.0.0.1:4711"])).toBeUndefined();
  expect(engineAddress(["node"])).toBeUndefined();
});

it("an engine that cuts a connection is still there; one that cannot be reached any more is gone", async () => {
  const connected: Socket[] = [];
  const engine = createServer((socket) => connected.push(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(engine, "listening");
  const gone = vi.fn();
  watchEngine({ host: "127.0.0.1", port: (engine.address() as AddressInfo).port }, gone);
  await vi.waitUntil(() => connected.length === 1, { timeout: 30_000 });
  connected[0]!.destroy();
  await vi.waitUntil(() => connected.length === 2, { timeout: 30_000 });
  expect(gone).not.toHaveBeenCalled();
  engine.close();
  connected[1]!.destroy();
  await vi.waitUntil(() => gone.mock.calls.length > 0, { timeout: 30_000 });
  expect(gone).toHaveBeenCalledTimes(1);
});
