/** A service whose interface has no role: what it does not return is neither drift nor a failed write. */
import { expect, it } from "vitest";
import { emulatorForTest } from "../emulator/use-emulator";
import { serve } from "../sdk/server";
import { Stage } from "./handlers";

const nora = { name: "Nora North", email: "nora@northwind.example", role: "super-admin" };

it("is adopted, refreshed without drift, and updated", async () => {
  const service = await emulatorForTest();
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
  const made = await world.create("user", nora);
  world.acknowledge(made);
  const read = await made.read();
  expect(read.outs.role).toBe("super-admin");
  expect(await read.differs(nora)).toBe(false);
  const updated = await read.update({ ...nora, name: "Nora" });
  expect(service.data().accounts[0]!.users[0]).toMatchObject({ name: "Nora", role: "3" });
  const changed = await updated.update({ ...nora, name: "Nora", role: "admin" });
  expect(service.data().accounts[0]!.users[0]!.role).toBe("2");
  expect((await changed.read()).outs).toMatchObject({ name: "Nora", role: "admin" });
});
