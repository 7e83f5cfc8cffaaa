/** What the Pulumi CLI says, in the words of the built-in engine. */
import { expect, it } from "vitest";
import { Causes, ofDiagnostic } from "../../cli/engine/pulumi-diagnostics";

const webhook = "urn:pulumi:dev::shop::esign:index:Webhook::signed";
const errorOf = (message: string, urn = "") =>
  ofDiagnostic({ color: "never", severity: "error", message, ...(urn && { urn }) }, { stack: "dev", project: "shop" });
const problem = 'esign:index:Webhook resource "signed" has a problem: ';

it.each([
  [webhook, "Preview failed: the engine says why", "the engine says why"],
  [webhook, "esign:index:Webhook resource 'signed' has a problem: no such ID", `${problem}no such ID`],
  // A component that is refused before it has a URN names itself.
  [
    "",
    "esign:index:AccountConfig resource 'north' has a problem: AccountConfig \"north\": 2",
    'AccountConfig "north": 2',
  ],
  ["", "esign:index:AccountConfig resource 'north' has a problem: 2", undefined],
  ["", "Preview failed: the engine says why", undefined],
])("of %j: %j", (urn, message, expected = message) => {
  expect(errorOf(message, urn)).toMatchObject([{ message: expected }]);
});

it("a resource that is named by its type and name has a URN, as any has", () => {
  expect(errorOf("refused", "esign:index:Webhook::signed")).toMatchObject([{ urn: webhook }]);
  expect(errorOf("refused", webhook)).toMatchObject([{ urn: webhook }]);
  expect(errorOf("refused")[0]).not.toHaveProperty("urn");
});

it.each([
  "esign:index:AccountConfig resource 'two' has a problem: grpc: the client connection is closing",
  "Program failed with an unhandled exception:\nTraceback (most recent call last):\nException: resource monitor shut down\n",
  "rpc error: code = Unknown desc = invocation of esign:index:getWebhooks returned an error: grpc: the client connection is closing\n\n  on Pulumi.yaml line 31:\n    31:   hooks:\n    32:     fn::invoke: { function: esign:getWebhooks }\n",
  "Error registering variable [hooks]: no diagnostics",
  "Error registering resource [a b]: no diagnostics\n",
])("what an engine that stops says of what it was waiting for is no cause: %s", (consequence) => {
  const run = (...messages: string[]) => {
    const causes = new Causes();
    const events = messages.flatMap((message) => errorOf(message));
    return [...events.flatMap((event) => causes.take(event)), ...causes.rest()].map(({ message }) => message);
  };
  const real = "a/account.yaml:2:14 is wrong";
  expect(run(consequence, real)).toEqual([real]);
  expect(run(real, consequence)).toEqual([real]);
  // Where it is all that there is, it is the error.
  expect(run(consequence)).toEqual([consequence.trimEnd()]);
});
