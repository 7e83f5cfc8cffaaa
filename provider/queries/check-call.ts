/** Checks the arguments of functions before a request: a typo would query another account, or return nothing. */
import { z } from "zod";
import { accountId } from "../../definitions/argument";
import { idInput, text } from "../../sdk/api/scalars";
import { envelopeStatus } from "../../sdk/enum-schemas";
import type { Properties } from "../core/pulumi-values";
import { checkShape } from "../lifecycle/check";

const account = accountId.optional();
/** Functions with more arguments than an account. */
const shapes: Record<string, z.ZodRawShape> = {
  getEnvelopes: {
    account,
    statuses: z.array(envelopeStatus, "must be a list").optional(),
    limit: z.number("must be a number").int("must be a whole number").min(0, "must be at least 0").optional(),
  },
  getEnvelope: { account, fingerprint: text },
  getTemplate: { account, title: text.optional(), fingerprint: text.optional() },
  getWebhook: { account, webhookId: idInput },
  getCompany: { companyId: idInput },
};

/** Everything that is wrong with the arguments of a call. */
export function issuesOfCall(name: string, args: Properties, allowUnknownValues: boolean): string[] {
  const shape = shapes[name] ?? { account };
  const { issues } = checkShape(name, shape, args, allowUnknownValues);
  const named = issues.map(({ field, message }) => `${field} ${message}`);
  if (name !== "getTemplate" || (args.title === undefined) !== (args.fingerprint === undefined)) return named;
  return [...named, "set title or fingerprint, and only one of them"];
}
