/** Objects that interrupted deployments may have created and that are not in the state: the provider's records beside the program. */
import { isDynamicType, kindNameOf } from "../../definitions/kind";
import type { RunOptions } from "../../engine/index";
import { resourceArg } from "../../provider/core/hidden-argument";
import { recoverCreateQuery } from "../../provider/core/recover-create-query";
import { PendingCreateRecords } from "../../provider/recovery/pending-create-records";
import { UsageError } from "../output/errors";
import { Exit } from "../output/exit-codes";

interface StackOfProgram {
  readonly name: string;
  readonly programDirectory: string;
}

/** How the built-in engine has this package's provider look for what an interrupted create has made. */
export const recoverCreate: NonNullable<RunOptions["recoverCreate"]> = ({ urn, type, inputs }, managed) => {
  if (kindNameOf(type) === undefined) return undefined;
  const ids = managed.flatMap(({ type: other, id }) => (other === type && id !== undefined ? [id] : []));
  return recoverCreateQuery({ ...inputs, ...(isDynamicType(type) && { [resourceArg]: urn }) }, ids);
};

const recordsOf = ({ programDirectory }: StackOfProgram) => new PendingCreateRecords(programDirectory);

/** Gives up what a stack's interrupted runs may have created. */
export function forgetPendingCreates(stack: StackOfProgram): void {
  recordsOf(stack).forgetStack(stack.name);
}

export const hasPendingCreates = (stack: StackOfProgram): boolean => recordsOf(stack).ofStack(stack.name).length > 0;

/**
 * `hint`: what else to do.
 * @throws {UsageError} where a stack's interrupted runs may have created what nothing else knows of
 */
export function rejectPendingCreates(stack: StackOfProgram, hint = ""): void {
  const left = recordsOf(stack)
    .ofStack(stack.name)
    .map(({ kind, createdObject }) => createdObject ?? `a ${kind} whose ID is not known`);
  if (left.length === 0) return;
  const what = `An interrupted deployment may have left objects in the account: ${left.join(", ")}.`;
  const remedy =
    "Run `up`, then `destroy`. Or check the account, then forget these objects: `refresh --clear-pending-creates`.";
  throw new UsageError(`${what}\n${remedy}${hint}`, Exit.failed);
}
