/**
 * The error for two resources of a program that declare the same object: each would undo the other's changes. The class finds those of
 * one provider before they are registered (`pulumi/reject-duplicates.ts`); provider instances find those of programs without the class,
 * and of two providers of one account (`session/declared-objects.ts`).
 */
import { Failure } from "./failure";

/** `canCoexist`: an account may have two such objects. */
const fixOf = (canCoexist: boolean) =>
  `Remove one of them${canCoexist ? ', or set onExisting: "create" on one of them' : ""}`;

/** Where the names of both are known. `isElsewhere`: they have different provider instances. */
export function duplicateOf(
  kind: string,
  names: readonly [string, string],
  canCoexist: boolean,
  isElsewhere = false,
): Failure {
  const how = isElsewhere ? ", through two providers of one account" : "";
  const problem = `${kind} "${names[0]}" and "${names[1]}" declare the same object${how}`;
  return new Failure("ESIGN1013", problem, fixOf(canCoexist));
}

/** For a create, which does not know the names. */
export function duplicateFailure(canCoexist: boolean): Failure {
  return new Failure("ESIGN1013", "another resource of this program declares the same object", fixOf(canCoexist));
}
