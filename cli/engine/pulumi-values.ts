/** Values in Pulumi's event log and in the output of `pulumi stack export`, where secrets are encrypted, hidden, or in plain text. */
import { secret, type Value, type ValueMap } from "../../engine/resource/property-value";
import { SIG_KEY, SignatureKind } from "../../engine/resource/signatures";

/** A secret's value is null where it is not in clear. */
function fromLog(value: unknown): Value {
  if (value === null || typeof value !== "object") return value as Value;
  if (Array.isArray(value)) return value.map(fromLog);
  const { [SIG_KEY]: kind, plaintext } = value as Record<string, unknown>;
  if (kind === SignatureKind.secret)
    return secret(typeof plaintext === "string" ? fromLog(JSON.parse(plaintext)) : null);
  return propertiesFromLog(value as Record<string, unknown>);
}

/** Without the code of a dynamic provider. */
export const propertiesFromLog = ({ __provider, ...properties }: Record<string, unknown> = {}): ValueMap =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, fromLog(value)]));

/** True where a secret is not in clear. */
export function hasClosedSecret(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const { [SIG_KEY]: kind, plaintext } = value as Record<string, unknown>;
  return kind === SignatureKind.secret ? typeof plaintext !== "string" : Object.values(value).some(hasClosedSecret);
}
