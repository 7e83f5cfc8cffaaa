/** Objects in a form whose members are all known. */
import { z } from "zod";
import { namesBeyond, needsCurrent } from "../../edition";
import { mistakeMessage, parseRules } from "../../parse-rules";
import { closeMatch } from "../../text/did-you-mean";

/** Runs a check even if a member is not valid, so that all issues are reported at once. */
export const always = { when: () => true };

/**
 * An object without members that the edition does not have; the issue about one suggests what was probably meant. `foreign` are members of the other form,
 * with the reason why they are not allowed.
 */
export function strictObject<const S extends z.ZodRawShape, const F extends string = never>(
  shape: S,
  foreign: readonly F[] = [],
  reason = "",
) {
  const names = Object.keys(shape);
  const schema = z.looseObject(shape, "must be an object").check(
    z.superRefine((value, ctx) => {
      if (typeof value !== "object" || value === null) return;
      const { edition, allowsMistake } = parseRules();
      const allowsMembers = allowsMistake("unknownMembers");
      const beyond = allowsMembers ? [] : namesBeyond(edition, shape);
      for (const name of Object.keys(value)) {
        const isForeign = foreign.includes(name as F);
        // A library of the service sends each member, also where it asks for nothing.
        if (beyond.includes(name) && !isUnset(value[name]))
          ctx.addIssue({ code: "custom", path: [name], message: needsCurrent });
        if (names.includes(name) || (allowsMembers && !isForeign)) continue;
        const near = closeMatch(name, names);
        const message = isForeign
          ? reason
          : mistakeMessage(
              "unknownMembers",
              `is unknown${near === undefined ? "" : ` (did you mean ${near}?)`}; allowed: ${names.join(", ")}`,
            );
        ctx.addIssue({ code: "custom", path: [name], message });
      }
    }, always),
  );
  // The type is strict as well. A strict schema would reject unknown members without a suggestion. The members of the other form
  // have the type never, so that the compiler rejects them in variables, too.
  return schema as unknown as z.ZodObject<S & Record<F, z.ZodOptional<z.ZodNever>>, z.core.$strict>;
}

const isUnset = (value: unknown): boolean => [undefined, null, "", false, "false"].includes(value as never);
