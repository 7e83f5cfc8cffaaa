/** Stops a write over values that neither the state nor a plan has shown: they changed outside Pulumi. */

import { createHmac, randomBytes } from "node:crypto";
import { redactUrl } from "../../redaction/url-credentials";
import { Failure } from "../core/failure";
import { UNKNOWN } from "../core/pulumi-values";
import { type Fields, isSecretField } from "../core/resource-definition";
import { recordedValue } from "../plan/field-effects";
import type { ResourceContext } from "./resource-context";

/** What a conflict may show. */
interface ShownValues {
  declared: Fields;
  /** Arguments that are secret. */
  secrets: readonly string[];
}

/** Keeps what no plan has shown. Values that are or may be secret are described by length and hash. */
export function rejectConflicts(
  { session, detector }: Pick<ResourceContext, "session" | "detector">,
  fields: string[],
  live: Fields,
  shown?: ShownValues,
): void {
  if (fields.length === 0 || session.connection.config.values.onConflict === "overwrite") return;
  const facts = fields.map((field) => {
    const recorded = recordedValue(detector, field);
    const isShown = shown !== undefined && !isSecretField(shown.secrets, field);
    const values = [
      // What the program declared before may have been secret.
      `state ${describeHidden(recorded)}`,
      `account ${isShown ? describeValue(live[field]) : describeHidden(live[field])}`,
      ...(isShown ? [`declared ${describeValue(shown.declared[field])}`] : []),
    ];
    return `  ${field}: ${values.join(", ")}\n`;
  });
  throw new Failure(
    "ESIGN1012",
    `conflict: ${fields.join(", ")} changed outside Pulumi, or by an update whose response was lost`,
    `${facts.join("")}Refresh (\`esign refresh\`) and review the plan, or set esign:onConflict (ESIGN_ON_CONFLICT) to overwrite`,
  );
}

/** Tells values of one run apart. It is gone with the process: of a short secret, the log must not say what it is. */
const runKey = randomBytes(32);
const runHash = (value: string) => createHmac("sha256", runKey).update(value).digest("base64url").slice(0, 8);

const describeHidden = (value: string | undefined): string =>
  value === undefined ? "nothing" : `${value.length} characters (hash ${runHash(value)})`;

/** A value in one line, without credentials in a URL; a long one as a hidden one. */
function describeValue(value: string | undefined): string {
  if (value === UNKNOWN) return "not known yet";
  const isShort = value !== undefined && value.length <= 200 && !/[\r\n]/.test(value);
  return isShort ? JSON.stringify(redactUrl(value)) : describeHidden(value);
}
