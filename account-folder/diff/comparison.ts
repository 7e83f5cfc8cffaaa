/** The sources of a comparison, and its result. */

import type { AccountModel, ResourceKind } from "../../definitions/model";
import type { Values } from "../folder/load";
import type { PictureFailure } from "../picture";

/** What is known of the picture at an address: the hash of its bytes, and whether they are those of the service's copy. */
export type Picture = { hash: string; isCopy: boolean } | PictureFailure;

/** One of the two configurations that are compared. */
export interface ConfigSource {
  model: AccountModel;
  /** How the user named it, for messages. */
  label: string;
  /**
   * True for an account: it has everything that exists. False for code (a folder, a stack), which may manage a part: what it
   * does not mention is not managed, which is no difference.
   */
  isAuthoritative: boolean;
  /**
   * Tells environments apart, such as a stack's name or the fingerprint of a key. Sources of two environments may differ in
   * addresses only because the environments do; absent: no such assumption is made.
   */
  environment?: string;
  /** True for a folder whose placeholders are not filled in: it represents every environment. */
  isUnresolved?: boolean;
  /** For a source without placeholder texts: the values of its environment, by name, which its texts may contain. */
  environmentValues?: Values;
  /** For a folder: whether one of its placeholder texts gives this text with the values of the other source. */
  matchesTemplate?: (place: FieldPlace, text: string, other: ConfigSource) => boolean;
  /** What is known of the picture at an address that this source has; absent: pictures were not read. */
  pictureAt?: (address: string) => Picture | undefined;
  /** For a folder: the values of its placeholders in the account, or in a subaccount. */
  ownValues?: (company?: string) => Values;
}

/** One field of a resource. An absent value is not set, or not managed. */
export interface FieldChange {
  field: string;
  before?: string;
  after?: string;
}

/** Which field of which object. */
export interface FieldPlace {
  /** Name of the subaccount; absent for the account itself. */
  company?: string;
  kind: ResourceKind;
  /** The object's name in its folder; absent for a kind with one object. */
  name?: string;
  field: string;
}

/** How one resource differs. */
export interface ResourceChange {
  kind: ResourceKind;
  /** The type of an email template, type and URL of a webhook, the name of a subaccount; absent for Branding. */
  name?: string;
  /** Name of the subaccount that contains it; absent for the account itself. */
  company?: string;
  /** Identifier of that subaccount in the second source, else in the first, where known: several may have one name. */
  companyId?: string;
  /** `add`: only the second source has it. `remove`: only the first has it. */
  action: "add" | "remove" | "change";
  /** The API's identifier in the source that has it, where known. */
  id?: string;
  fields: FieldChange[];
}

/** A difference that is ignored, and why. */
export interface IgnoredDifference extends ResourceChange {
  reason: string;
}

export interface Comparison {
  /** The differences, in the order of the kinds. */
  changes: ResourceChange[];
  /** Differences that the environments explain. */
  environment: IgnoredDifference[];
  /** What an account has and code does not mention. */
  unmanaged: IgnoredDifference[];
  /** What could not be compared. */
  uncompared: IgnoredDifference[];
}

interface Environment {
  environment?: string | undefined;
}

/** Whether two sources are known to be of different environments. */
export const isOtherEnvironment = (a: Environment, b: Environment): boolean =>
  a.environment !== undefined && b.environment !== undefined && a.environment !== b.environment;
