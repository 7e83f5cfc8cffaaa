/**
 * Rejects customers whose record names another stack than the one that they are in: they would be created again there, or belong to two
 * stacks.
 */
import { UsageError } from "../output/errors";
import { type CustomerStack, type CustomerStackOptions, listKeyOf } from "./customer-stacks";
import type { FleetWorkspace } from "./fleet-workspace";

type Workspace = Pick<FleetWorkspace, "stacks" | "customersIn">;

/** The number of stacks that customers share, if that is how this one got its name. */
const stacksIn = (stack: string, prefix: string): string | undefined =>
  /^\d+-of-(\d+)$/.exec(stack.slice(prefix.length))?.[1];

/** @throws {UsageError} if a customer is in another stack than its record says */
export async function rejectReassignments(
  customerStacks: readonly CustomerStack[],
  workspace: Workspace,
  options: CustomerStackOptions,
): Promise<void> {
  const deployed = [...workspace.stacks].filter((stack) => stack.startsWith(options.prefix));
  rejectOtherNames(customerStacks, deployed, options);
  await rejectOtherLists(customerStacks, deployed, workspace, options);
}

function rejectOtherNames(
  customerStacks: readonly CustomerStack[],
  deployed: readonly string[],
  { prefix, stacks }: Pick<CustomerStackOptions, "prefix" | "stacks">,
): void {
  const customerStackOf = new Map(
    customerStacks.flatMap((customerStack) =>
      customerStack.ids.map((id): [string, CustomerStack] => [prefix + id, customerStack]),
    ),
  );
  const named = new Set(customerStacks.map(({ stack }) => stack));
  for (const stack of deployed) {
    if (named.has(stack)) continue;
    const of = stacksIn(stack, prefix);
    if (of !== undefined && Number(of) !== stacks)
      throw new UsageError(
        `the customers are distributed over ${of} stacks (one is ${stack}): with another number they would be created again. Use --stacks ${of}`,
      );
    const customerStack = customerStackOf.get(stack);
    if (customerStack !== undefined)
      throw new UsageError(
        `a customer has its own stack, ${stack}, and would be created again in ${customerStack.stack}. Omit --stacks, or the stack in its record`,
      );
  }
}

async function rejectOtherLists(
  customerStacks: readonly CustomerStack[],
  deployed: readonly string[],
  workspace: Workspace,
  { prefix, project }: CustomerStackOptions,
): Promise<void> {
  const stackOf = new Map(customerStacks.flatMap(({ ids, stack }) => ids.map((id): [string, string] => [id, stack])));
  const named = new Set(customerStacks.map(({ stack }) => stack));
  const own = new Set(customerStacks.filter(({ listKey }) => listKey === undefined).map(({ stack }) => stack));
  // Which one follows from the ID is the same as before, unless a record names another.
  const isHashed = customerStacks.every(({ stack }) => stacksIn(stack, prefix) !== undefined);
  for (const stack of deployed) {
    if (own.has(stack) || (isHashed && stacksIn(stack, prefix) !== undefined)) continue;
    const customers = await workspace.customersIn(stack, listKeyOf(project)).catch(({ message }: Error) => {
      // It fails by itself, and the others go on.
      if (named.has(stack)) return [];
      throw new UsageError(
        `cannot read the customers in ${stack}, a stack that no record names: ${message}. Another stack may create them again. If ${stack} was destroyed: esign stack rm ${stack}`,
      );
    });
    for (const { id } of customers) {
      const other = stackOf.get(id);
      if (other !== undefined && other !== stack)
        throw new UsageError(
          `customer ${id} is in ${stack}, but its record belongs to ${other}: both stacks would manage it. Set the stack in the record as it was. If ${stack} was destroyed: esign stack rm ${stack}`,
        );
    }
  }
}
