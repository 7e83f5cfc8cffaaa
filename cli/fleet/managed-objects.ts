/** The objects that the stacks of a fleet manage. A customer whose id has changed is in two of them, the former and the new one. */
import { mapConcurrently } from "../../account-folder/map-concurrently";
import { kinds } from "../../definitions/index";
import { kindNameOf } from "../../definitions/kind";
import { readUrn } from "../../definitions/urn";
import type { ResourceView } from "../../engine/index";
import { OperationError } from "../engine/operation-error";
import { inShell } from "../output/shell";
import type { CustomerStack } from "./customer-stacks";
import type { FleetEngine, FleetStack } from "./engine/fleet-engine";
import { asOperationError } from "./stack/as-operation-error";

/** How many stacks are read at the same time. */
const parallel = 4;

interface ManagedObject {
  /** The same in each state that has it. */
  key: string;
  urn: string;
  /** As messages name it. */
  label: string;
}

/** What a deletion removes from the account. What each account has once keeps existing. */
function objectsIn(resources: readonly ResourceView[]): ManagedObject[] {
  return resources.flatMap(({ urn, type, id }) => {
    const kind = kindNameOf(type);
    if (kind === undefined || !kinds[kind].isCreatable || !id) return [];
    return [{ key: `${kind} ${id}`, urn, label: `${kind} "${readUrn(urn)?.name}" (id ${id})` }];
  });
}

export class ManagedObjects {
  /** The stacks that manage an object, by its key. */
  #managers: Promise<Map<string, string[]>> | undefined;

  readonly #engine: FleetEngine;
  readonly #stacks: readonly string[];

  /** @param stacks those that customers have who are not removed */
  constructor(engine: FleetEngine, stacks: readonly string[]) {
    this.#engine = engine;
    this.#stacks = stacks;
  }

  /** @throws {OperationError} if what is to be removed with a stack belongs to a customer of another one */
  async rejectShared({ stack, listKey }: CustomerStack, opened: FleetStack): Promise<void> {
    const objects = objectsIn(await opened.stack.resources());
    if (objects.length === 0) return;
    this.#managers ??= this.#readManagers();
    const managers = await this.#managers;
    for (const { key, urn, label } of objects) {
      const other = managers.get(key)?.find((each) => each !== stack);
      if (other === undefined) continue;
      const remedy =
        listKey === undefined
          ? `remove this stack, and nothing in the account: esign stack rm ${stack} --force`
          : `remove it from the state, and not from the account: esign state delete ${inShell(urn)} --target-dependents --force --stack ${stack}`;
      throw new OperationError(
        `Nothing was deleted: ${label} belongs to ${other}, too.\nIf its customer has another id now, ${remedy}`,
        false,
      );
    }
  }

  async #readManagers(): Promise<Map<string, string[]>> {
    const managers = new Map<string, string[]>();
    await mapConcurrently(this.#stacks, parallel, async (stack) => {
      for (const { key } of await this.#objectsOf(stack)) managers.set(key, [...(managers.get(key) ?? []), stack]);
    });
    return managers;
  }

  async #objectsOf(stack: string): Promise<ManagedObject[]> {
    try {
      const opened = await this.#engine.openStack(stack);
      try {
        return objectsIn(await opened.stack.resources());
      } finally {
        await opened.stack.close();
      }
    } catch (error) {
      const { message } = asOperationError(error as Error);
      throw new OperationError(`Nothing was deleted: the objects of ${stack} cannot be read: ${message}`, false);
    }
  }
}
