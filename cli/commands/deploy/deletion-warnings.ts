/**
 * Warnings about data that a plan deletes: usage and open envelopes of companies. Engines ask no provider about a planned
 * deletion, so they are read here, before the question.
 */
import { kindNameOf } from "../../../account-folder/kinds/config-kind";
import type { EngineEvent, Stack, StepInfo } from "../../../engine/index";

/** Companies that are asked about, at most: each takes a few requests. */
const mostCompanies = 20;

/** True for a step that deletes a company in the account. */
function isLoss({ op, type, retained }: StepInfo): boolean {
  return (op === "delete" || op === "delete-replaced") && kindNameOf(type) === "Company" && !retained;
}

/** The companies that a plan deletes. */
export function deletedCompanies(events: readonly EngineEvent[]): StepInfo[] {
  return events.flatMap((event) =>
    event.type === "step" && event.status === "planned" && isLoss(event.step) ? [event.step] : [],
  );
}

/** One sentence for each of them. Never fails: what cannot be read is said. */
export async function describeLosses(
  companies: readonly StepInfo[],
  stack: Stack,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  // Most runs delete no company, and need not wait for these to be loaded.
  const [{ company }, { Session }] = await Promise.all([
    import("../../../provider/resources/company.js"),
    import("../../../provider/session/session.js"),
  ]);
  const config = await stack.config.list({ showSecrets: true });
  const session = new Session({ environment, log: () => undefined });
  session.configure({ get: (key) => config.get(key)?.value });
  const words = await Promise.all(
    companies.slice(0, mostCompanies).map(async ({ id = "", name }) => {
      const about = `Company ${name} (${id})`;
      try {
        const lost = await company.collection!.describeLoss!(session.account(), id);
        return lost === undefined
          ? `${about}: not found with the key of this stack`
          : `${about}: deleting it also deletes its data: ${lost}`;
      } catch (error) {
        return session.redact(`${about}: what it contains cannot be read: ${(error as Error).message}`);
      }
    }),
  );
  const rest = companies.length - words.length;
  return rest > 0 ? [...words, `${rest} more companies would be deleted with their data`] : words;
}
