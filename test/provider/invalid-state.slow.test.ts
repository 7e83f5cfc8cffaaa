/** A state that was edited by hand: each part of it, as each other type. What is not understood is refused with a message. */
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { edited } from "../strange";
import { wired } from "./handlers";
import { byTurns, onStage } from "./on-stage";

const stage = onStage();

const inputs: Partial<Record<HandlerName, Properties>> = {
  webhook: { type: "signed-envelope", url: "https://receiver.example/signed" },
  branding: { colour: "#558caa", logoUrl: "https://www.example.com/logo.png" },
  brandingEmail: { type: "email-send", subject: "Please sign {contract title}", content: "<p>{contract url}</p>" },
  company: { name: "Sub", userName: "Ann", userEmail: "ann@example.com", deletionProtection: false },
};

it.each(byTurns(Object.entries(inputs)))(
  "%s: says what is wrong, or goes on as if it were right",
  async (name, args) => {
    const handler = name as HandlerName;
    const hooks = stage.phase()[handler];
    const { inputs: checked, failures } = await hooks.check({}, wired(handler, args));
    expect(failures).toEqual([]);
    const { id, outs } = await hooks.create(wired(handler, checked));
    const state = wired(handler, outs);
    const messages = new Set<string>();
    for (const olds of edited(state)) {
      const { check, diff, read, update } = stage.phase()[handler];
      const news = wired(handler, args);
      for (const call of [check(olds, news), diff(id, olds, news), read(id, olds), update(id, olds, news)])
        await (call as Promise<unknown>).catch((error: Error) => messages.add(error.message));
    }
    expect(messages.size).toBeGreaterThan(10);
    // A version that is another number is a later one.
    const isRefused =
      /invalid \(.+\): it was edited by hand|the state entry was written by a later version .*ESIGN1055/;
    expect([...messages].filter((message) => !isRefused.test(message))).toEqual([]);
  },
);
