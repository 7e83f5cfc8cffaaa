/** Separates the arguments by which a resource's class passes something to `check`. */
import { type Properties, unwrap, unwrapAll } from "../core/pulumi-values";
import {
  type Definition,
  otherIssuesArg,
  previewArg,
  type RegistrationArgument,
  runArg,
  stackNameArg,
} from "../core/resource-definition";

export interface CheckedInputs {
  /** What the user declares. */
  inputs: Properties;
  /** Name of the stack. */
  stack: string | undefined;
  /** Absent for what no class has registered. */
  registration: RegistrationArgument | undefined;
  /** The same, in a preview only. */
  preview: RegistrationArgument | undefined;
  /** What is wrong with other resources. */
  otherIssues: readonly string[];
}

/** The arguments without envelopes and empty members; `null` where it removes something. */
export function declaredInputs({ removable = [] }: Definition, news: Properties): Properties {
  const removed = removable.filter((field) => news[field] !== undefined && unwrap(news[field]) === null);
  return { ...unwrapAll(news), ...Object.fromEntries(removed.map((field) => [field, null])) };
}

export function splitInputs(news: Properties): CheckedInputs {
  const { [stackNameArg]: stack, [previewArg]: preview, [runArg]: run, [otherIssuesArg]: issues, ...inputs } = news;
  return {
    inputs,
    stack: typeof stack === "string" ? stack : undefined,
    registration: (preview ?? run) as RegistrationArgument | undefined,
    preview: preview as RegistrationArgument | undefined,
    otherIssues: (issues as string[] | undefined) ?? [],
  };
}
