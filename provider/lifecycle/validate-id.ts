/** Which IDs can be those of a resource. */

import { z } from "zod";
import { splitId } from "../../definitions/object-id";
import { idInput } from "../../sdk/api/scalars";
import { anyUnknown, parseWith } from "../../sdk/parse-rules";
import { Failure } from "../core/failure";
import { isSingleton, type ResourceDefinition } from "../core/resource-definition";

/** Throws unless an ID that a person has typed can be that of such a resource. */
export function assertValidId(definition: ResourceDefinition, id: string, allowUnknownValues: boolean): void {
  const problem = problemOfId(definition, id, allowUnknownValues);
  if (problem === undefined) return;
  const { name } = keyForm(definition);
  const forms = isPartners(definition) ? name : `${name}, or <company's id>/${name} within a subaccount`;
  throw new Failure("ESIGN1020", `the ID is not that of a ${definition.kind}: ${problem}`, `Use ${forms}`);
}

/** Why the ID cannot be that of such a resource; undefined if it can. It is not repeated: it may be anything, such as a key. */
export function problemOfId(
  definition: ResourceDefinition,
  id: string,
  allowUnknownValues: boolean,
): string | undefined {
  const { companyId, key } = splitId(id);
  const { schema } = keyForm(definition);
  const rules = allowUnknownValues ? anyUnknown : {};
  const wrong = (part: string, rule: z.ZodType, text: string) => {
    const issue = parseWith(rules, () => rule.safeParse(text)).error?.issues[0];
    return issue && `${part} ${issue.message}`;
  };
  return isPartners(definition) || companyId === undefined
    ? wrong("it", schema, isPartners(definition) ? id : key)
    : (wrong('what is before the "/"', idInput, companyId) ?? wrong('what is after the "/"', schema, key));
}

/** True for what is in a partner's own account only. */
const isPartners = ({ args }: ResourceDefinition): boolean => !("account" in args.shape);

/** How messages name the key of an object, and its rule. */
function keyForm(definition: ResourceDefinition): { name: string; schema: z.ZodType } {
  if (!isSingleton(definition)) return { name: "<id>", schema: idInput };
  const [argument] = Object.keys(definition.argsFromKey?.("") ?? {});
  if (argument !== undefined)
    return { name: `<${argument}>`, schema: definition.args.shape[argument] as unknown as z.ZodType };
  // What an account has once.
  const only = definition.key(undefined, {});
  return { name: only, schema: z.literal(only, `must be "${only}"`) };
}
