/** What a rollback goes to, and what it passes to the provider. */
import { dynamicTypeOf, kindNameOf } from "../../../account-folder/kinds/config-kind";
import { findVersion } from "../../../engine/backend/rollback/earlier-state";
import type { HistoryEntry, RollbackOptions } from "../../../engine/index";
import { containsSecret, type Value } from "../../../engine/resource/property-value";
import {
  previewArg,
  type RegistrationArgument,
  runArg,
  stackNameArg,
} from "../../../provider/dynamic/hidden-arguments";
import { UsageError } from "../../output/exit-codes";

/** @throws {Error} where there is no such deployment, before anything is asked */
export function versionFor(rollback: number | "previous", history: readonly HistoryEntry[], stack: string): number {
  if (rollback !== "previous") return findVersion(stack, history, rollback).version;
  const last = history.findIndex(({ kind }) => kind === "update");
  const before = last < 0 ? [] : history.slice(last + 1);
  const entry = before.find(({ kind, result }) => kind !== "destroy" && result === "succeeded");
  if (entry !== undefined) return entry.version;
  throw new UsageError(
    "the history has no deployment before the last update. `esign stack history` lists the versions",
  );
}

/** What a rollback passes to the provider in place of a resource's class. */
export function rollbackTo(version: number, stack: string): RollbackOptions {
  let declared = 0;
  return {
    version,
    async prepare({ urn, type, name, inputs }, dryRun) {
      const kind = kindNameOf(type);
      // The plugin has it from its engine.
      if (kind === undefined || type !== dynamicTypeOf(kind)) return inputs;
      declared++;
      // As the class: until all is declared that does not wait for others.
      await new Promise((resolve) => setImmediate(resolve));
      const secrets = Object.entries(inputs).flatMap(([field, value]) =>
        containsSecret(value as Value) ? [field] : [],
      );
      return {
        ...inputs,
        [stackNameArg]: stack,
        [dryRun ? previewArg : runArg]: { name, secrets, declared, urn } satisfies RegistrationArgument,
      };
    },
  };
}
