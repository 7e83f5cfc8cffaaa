/**
 * A hidden argument in which a resource's class passes its URN and whether the run is a preview: the SDK's dynamic provider passes its
 * handlers neither. `check` reduces it to the URN, which each later call then has. Differences ignore it.
 */
import type { Properties } from "./pulumi-values";

export const resourceArg = "__resource";

/** What is passed of a resource. */
export interface RegistrationArgument {
  /** URN of the resource. */
  urn: string;
  /** The arguments that are secret, which the provider receives in clear. */
  secrets: string[];
  /** Number of resources that the program has declared with this provider up to now. */
  declared: number;
  /** True in a dry run. */
  isPreview?: boolean;
  /** URN of the company that it belongs to, if that is a resource of the program. */
  company?: string;
  /** What is wrong with other resources, of a resource that is invalid itself. */
  otherIssues?: string[];
}

interface HiddenArguments {
  /** What the user declares. */
  inputs: Properties;
  /** Absent for what no class has registered, and after the check. */
  registration: RegistrationArgument | undefined;
  /** Absent for what no class has registered, and after a refresh, whose arguments have none. */
  urn: string | undefined;
}

export function splitInputs(news: Properties): HiddenArguments {
  const { [resourceArg]: resource, ...inputs } = news;
  if (typeof resource === "string") return { inputs, registration: undefined, urn: resource };
  const registration = resource as RegistrationArgument | undefined;
  return { inputs, registration, urn: registration?.urn };
}
