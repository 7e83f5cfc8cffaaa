/** With the built-in engine the provider of a plan and that of the run after it are in the command's own process. */
import { expect, onTestFinished, test } from "vitest";
import { EffectsFile } from "../../cli/deploy/effects-file";
import { RunRequests } from "../../cli/deploy/run-requests";
import { Reporting } from "../../provider/reporting/reporting";
import type { ResponseEvent } from "../../sdk/options";

test("requests are those of the run, of all its providers, whatever this process counted before", async () => {
  const file = new EffectsFile();
  onTestFinished(() => file.remove());
  const requests = new RunRequests(() => file.readRequests());
  const reporting = () =>
    new Reporting({ environment: file.environment(), directory: undefined, stack: () => "dev", log: () => {} });
  const event: ResponseEvent = {
    ...{ operation: "webhooks.list", method: "GET", path: "/v1/webhooks", fields: [] },
    ...{ status: 200, attempt: 1, elapsed: 1, waited: 0 },
  };
  const ask = async (provider: Reporting, number: number) =>
    provider.during("webhook", async () => {
      for (let i = 0; i < number; i++) provider.addResponse(event);
    });
  const counted = () => requests.counts[""]?.requests;
  const [plan, stack, explicit] = [reporting(), reporting(), reporting()];
  requests.begin();
  await ask(plan, 3);
  expect(counted()).toBe(3);
  requests.begin();
  expect(counted()).toBe(undefined);
  await ask(stack, 2);
  await ask(explicit, 1);
  await ask(stack, 4);
  expect(counted()).toBe(7);
});
