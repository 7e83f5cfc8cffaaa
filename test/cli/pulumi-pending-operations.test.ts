/** What `esign` says of creates that the Pulumi CLI keeps in its state as pending operations. */
import { expect, it } from "vitest";
import { noticeAfterUp, pendingOperationsIn, refusalOfDestroy } from "../../cli/engine/pulumi-pending-operations";

const type = "pulumi-nodejs:dynamic/esign:Webhook";
const urn = (n: number) => `urn:pulumi:dev::p::${type}::hook-${n}`;
const exported = (existing: number[], pending: number[]) =>
  JSON.stringify({
    version: 3,
    deployment: {
      resources: existing.map((n) => ({ urn: urn(n), type })),
      pending_operations: [
        ...pending.map((n) => ({ type: "creating", resource: { urn: urn(n), type } })),
        { type: "updating", resource: { urn: urn(99), type } },
        { type: "creating", resource: { urn: "urn:pulumi:dev::p::aws:s3:Bucket::b", type: "aws:s3:Bucket" } },
      ],
    },
  });

it("one line after an up, and a refusal of destroy that names what is open", () => {
  const done = pendingOperationsIn(exported([1, 2, 3], [1, 2]));
  expect(noticeAfterUp(done)).toMatch(/^Completed 2 creates .* refresh --clear-pending-creates$/);
  expect(refusalOfDestroy(done)).toBeUndefined();
  const open = pendingOperationsIn(exported([1], [1, 2, 3, 4, 5, 6, 7, 8]));
  expect(refusalOfDestroy(open)).toMatch(/may have created .*hook-2, .*hook-6 and 2 more\.\nRun `esign up`/);
  const none = pendingOperationsIn(JSON.stringify({ version: 3, deployment: {} }));
  expect([noticeAfterUp(none), refusalOfDestroy(none)]).toEqual([undefined, undefined]);
});
