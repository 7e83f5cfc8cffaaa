/** A run for machines: one event per line, as JSON. */
import type { Display } from "./display";
import type { DisplayEvent } from "./shown-step";

/** The first event names the account. A planned step comes when all about it is known, which is at the end. */
export function jsonDisplay(write: (text: string) => void, account?: string): Display {
  let isStarted = false;
  const planned = new Map<string, DisplayEvent>();
  const print = (event: DisplayEvent) => write(`${JSON.stringify(event)}\n`);
  return {
    begin: () => planned.clear(),
    event(event) {
      // The account is verified before the run.
      isStarted ||= event.type === "start";
      if (!isStarted && event.type === "diagnostic" && event.ephemeral) return;
      if (event.type === "step" && event.status === "planned") {
        planned.set(`${event.step.op} ${event.step.urn}`, event);
        return;
      }
      if (event.type === "end") for (const step of planned.values()) print(step);
      print(event.type === "start" && account !== undefined ? ({ ...event, account } as DisplayEvent) : event);
    },
    details: () => undefined,
    close: () => undefined,
  };
}
