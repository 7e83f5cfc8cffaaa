/** IDs of objects in states: the key of an object in its account; within a subaccount `<company's id>/<key>`. */
import { z } from "zod";
import { idInput } from "../../sdk/api/scalars";
import { knownValuesOf } from "../../sdk/enums";
import { anyUnknown, parseWith } from "../../sdk/parse-rules";
import { didYouMean } from "../../sdk/text/did-you-mean";
import { Failure } from "./failure";
import { type Definition, isSingleton } from "./resource-definition";

export function splitId(id: string): { companyId?: string; key: string } {
  const slash = id.indexOf("/");
  return slash < 0 ? { key: id } : { companyId: id.slice(0, slash), key: id.slice(slash + 1) };
}

/** Throws unless an ID that a person has typed can be that of such a resource. No message repeats it: it may be anything, such as a key. */
export function assertValidId(definition: Definition, id: string, allowUnknownValues: boolean): void {
  const { companyId, key } = splitId(id);
  const { name, schema } = keyForm(definition);
  const isPartners = !("account" in definition.args.shape);
  const rules = allowUnknownValues ? anyUnknown : {};
  const wrong = (part: string, rule: z.ZodType, text: string) => {
    const issue = parseWith(rules, () => rule.safeParse(text)).error?.issues[0];
    return issue && `${part} ${issue.message}${didYouMean(text, knownValuesOf(rule) ?? [])}`;
  };
  const problem =
    isPartners || companyId === undefined
      ? wrong("it", schema, isPartners ? id : key)
      : (wrong('what is before the "/"', idInput, companyId) ?? wrong('what is after the "/"', schema, key));
  if (problem === undefined) return;
  const forms = isPartners ? name : `${name}, or <company's id>/${name} within a subaccount`;
  throw new Failure("ESIGN1020", `the ID is not that of a ${definition.kind}: ${problem}`, `Use ${forms}`);
}

/** How messages name the key of an object, and its rule. */
function keyForm(definition: Definition): { name: string; schema: z.ZodType } {
  if (!isSingleton(definition)) return { name: "<id>", schema: idInput };
  const [argument] = Object.keys(definition.argsFromKey?.("") ?? {});
  if (argument !== undefined)
    return { name: `<${argument}>`, schema: definition.args.shape[argument] as unknown as z.ZodType };
  // What an account has once.
  const only = definition.key(undefined, {});
  return { name: only, schema: z.literal(only, `must be "${only}"`) };
}
