/** What the built-in engine has besides the life of a resource, with the plugin as with dynamic resources. */
import { expect, it } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { Program, type Wanted } from "../provider/programs";

const service = useEmulator();
const hooks = () => service.data().accounts.find(({ partner }) => partner)!.webhooks;
const wanted = (path: string): Wanted[] => [
  { kind: "Webhook", name: "hook", args: { type: "all", url: `https://r.example/${path}` } },
  { kind: "Company", name: "firm", args: { name: "Firm", userName: "U", userEmail: "u@firm.example" } },
  { kind: "Webhook", name: "inside", args: { account: "firm", type: "all", url: `https://r.example/${path}` } },
];

it("goes back to an earlier deployment, replaces on request, and follows a saved plan", async () => {
  const program = new Program("embedded", undefined, "plugin");
  await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
  for (const path of ["one", "two"]) {
    program.wanted = wanted(path);
    await program.operate("up");
  }
  const stack = ["--stack", program.stack];
  const { output } = await program.succeed("rollback", "--yes", ...stack);
  expect(output).toMatch(/2 updated, 1 unchanged\. Account writes: 2/);
  program.wanted = wanted("one");
  await program.operate("up", "--expect-no-changes");

  const { urn } = (await program.state()).find(({ urn: each }) => each.endsWith("::hook"))!;
  await program.operate("up", "--replace", urn);
  expect(hooks()).toMatchObject([{ url: "https://r.example/one" }]);
  await program.operate("up", "--expect-no-changes");

  program.wanted = wanted("three");
  await program.succeed("preview", "--save-plan", "plan.json", ...stack);
  program.wanted = wanted("four");
  const refused = await program.run("up", "--yes", "--plan", "plan.json", ...stack);
  expect(refused.code).not.toBe(0);
  expect(hooks()).toMatchObject([{ url: "https://r.example/one" }]);
  program.wanted = wanted("three");
  await program.succeed("up", "--yes", "--plan", "plan.json", ...stack);
  expect(hooks()).toMatchObject([{ url: "https://r.example/three" }]);
});
