/**
 * The arguments by which a resource's class passes something to `check`, which removes them: the SDK's dynamic provider hands its
 * handlers neither the resource's name nor whether it is a dry run.
 */
import type { Properties } from "../core/pulumi-values";

/** Name of the stack. */
export const stackNameArg = "__stack";

/** Describes the resource, in a dry run. */
export const previewArg = "__preview";

/** The same in the real run. */
export const runArg = "__run";

/** What is wrong with other resources, of a resource that is invalid itself. */
export const otherIssuesArg = "__otherIssues";

/** What is passed of a resource. */
export interface RegistrationArgument {
  /** Name of the resource. */
  name: string;
  /** The arguments that are secret, which hooks receive in clear. */
  secrets: string[];
  /** Number of resources that the program has declared with this provider up to now. */
  declared: number;
  /** URN of the resource. */
  urn: string;
  /** URN of the company that it belongs to, if that is a resource of the program. */
  company?: string;
}

export interface HiddenArguments {
  /** What the user declares. */
  inputs: Properties;
  /** Name of the stack. */
  stack: string | undefined;
  /** Absent for what no class has registered. */
  registration: RegistrationArgument | undefined;
  isPreview: boolean;
  /** What is wrong with other resources. */
  otherIssues: readonly string[];
}

export function splitInputs(news: Properties): HiddenArguments {
  const {
    [stackNameArg]: stack,
    [previewArg]: preview,
    [runArg]: run,
    [otherIssuesArg]: issues = [],
    ...inputs
  } = news;
  return {
    inputs,
    stack: typeof stack === "string" ? stack : undefined,
    registration: (preview ?? run) as RegistrationArgument | undefined,
    isPreview: preview !== undefined,
    otherIssues: issues as string[],
  };
}
