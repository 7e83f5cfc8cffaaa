import { z } from "zod";
import { webhookTypes } from "../../../sdk/known-values";
import { matchesAny } from "../../name-patterns";
import { policy } from "../../rule";

const events = webhookTypes.filter((type) => type !== "all").slice(0, 4);

export const noAllWebhook = policy({
  name: "no-all-webhook",
  description: "In production, subscribe to the events that your server handles, not to `all`.",
  severity: "error",
  kinds: ["Webhook"],
  config: {
    stacks: z
      .array(z.string())
      .default(["*prod*", "*live*"])
      .describe(
        "Names of the stacks that are production; `*` matches anything. Files that serve all stacks serve production, too",
      ),
  },
  *check({ args, stack }, { stacks }) {
    if (args.type !== "all" || (stack !== undefined && !matchesAny(stacks, stack))) return;
    yield {
      field: "type",
      message: "all sends every event to the server, also those that the service adds later",
      fix: `declare a webhook for each event, such as ${events.join(", ")}`,
    };
  },
});
