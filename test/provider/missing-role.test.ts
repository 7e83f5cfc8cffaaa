/** A service whose interface has no role: what it does not return is neither drift nor a failed write. */
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../emulator";
import type { Properties } from "../../provider/core/pulumi-values";
import { serve } from "../sdk/server";
import { Stage, wired } from "./handlers";

const nora = wired("user", { name: "Nora North", email: "nora@northwind.example", role: "super-admin" });

it("is adopted, refreshed without drift, and updated", async () => {
  const service = await start();
  onTestFinished(() => service.close());
  const { url } = await serve(async ({ method, url, headers, body }) => {
    const sent = method === "GET" ? {} : { body };
    const answer = await fetch(service.url + url, {
      method,
      headers: {
        authorization: headers.authorization!,
        ...(headers["content-type"] !== undefined && { "content-type": headers["content-type"] }),
      },
      ...sent,
    });
    const text = (await answer.text()).replace(/"role_id":\s*"\d",?/g, "");
    return { status: answer.status, body: JSON.parse(text) };
  });
  const world = new Stage(service);
  world.settings = { ...world.settings, baseUrl: url };
  const refresh = async (id: string, state: Properties) =>
    wired("user", (await world.phase().user.read(id, state)).props!);
  const { id, outs } = await world.phase().user.create(nora);
  world.acknowledge({ outs });
  const state = await refresh(id, wired("user", outs));
  expect(state.role).toBe("super-admin");
  expect(await world.phase().user.diff(id, state, nora)).toMatchObject({ changes: false });
  const renamed = { ...nora, name: "Nora" };
  const updated = await world.phase().user.update(id, state, renamed);
  expect(world.service.data().accounts[0]!.users[0]).toMatchObject({ name: "Nora", role: "3" });
  const admin = { ...renamed, role: "admin" };
  const changed = await world.phase().user.update(id, wired("user", updated.outs), admin);
  expect(world.service.data().accounts[0]!.users[0]!.role).toBe("2");
  expect(await refresh(id, wired("user", changed.outs))).toMatchObject({ name: "Nora", role: "admin" });
});
