/** Types of a comparison: its two sources and its result. */

import type { AccountModel, ResourceKind } from "../../definitions/model";
import type { Values } from "../folder/fill-folder";
import type { PictureFailure } from "../pictures/fetch-picture";

/** A picture that was read: the hash of its bytes, and whether it is the service's copy; or why it could not be read. */
export type Picture = { hash: string; isCopy: boolean } | PictureFailure;

/** One of the two configurations to compare. */
export interface ConfigSource {
  model: AccountModel;
  /** The name that the user typed, for messages. */
  label: string;
  /**
   * True for an account: it contains everything that exists. False for code (a folder or a stack), which may manage only a part: what it
   * does not mention is unmanaged, not a difference.
   */
  isAuthoritative: boolean;
  /**
   * Identifies the environment, such as by a stack's name or a key's fingerprint. Between two environments, addresses may differ only
   * because the environments do. Absent: addresses are compared as they are.
   */
  environment?: string;
  /** True for a folder whose placeholders are not filled in, so that it represents every environment. */
  isUnresolved?: boolean;
  /** For a source without placeholders: the values of its environment, by name. They may occur in its texts. */
  environmentValues?: Values;
  /** For a folder: whether a text with placeholders, filled in with the other source's values, yields this text. */
  matchesTemplate?: (place: FieldPlace, text: string, other: ConfigSource) => boolean;
  /** The picture at an address in this source. Absent if pictures were not read. */
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

/** Identifies a field of an object. */
export interface FieldPlace {
  /** Name of the subaccount that the object is in, or is; absent for the account itself. */
  company?: string;
  kind: ResourceKind;
  /** The object's name in its folder; absent for a singleton. */
  name?: string;
  field: string;
}

/** The difference of one object. */
export interface ResourceChange {
  kind: ResourceKind;
  /** The type of an email template, the type and URL of a webhook, the name of a subaccount; absent for Branding. */
  name?: string;
  /** Name of the subaccount that contains it; absent for the account itself. */
  company?: string;
  /** ID of that subaccount in the second source, else in the first, if known: several subaccounts may have the same name. */
  companyId?: string;
  /** `add`: the object is only in the second source. `remove`: it is only in the first. */
  action: "add" | "remove" | "change";
  /** The API's ID, from the source that has it, if known. */
  id?: string;
  fields: FieldChange[];
}

/** A difference that is ignored, and why. */
export interface IgnoredDifference extends ResourceChange {
  reason: string;
}

export interface Comparison {
  /** The differences, in the order of the registry of kinds. */
  changes: ResourceChange[];
  /** Differences that are due to the environments. */
  environment: IgnoredDifference[];
  /** Objects and fields of an account that code does not mention. */
  unmanaged: IgnoredDifference[];
  /** Objects that could not be compared. */
  uncompared: IgnoredDifference[];
}

interface Environment {
  environment?: string | undefined;
}

/** True if two sources are known to belong to different environments. */
export const isOtherEnvironment = (a: Environment, b: Environment): boolean =>
  a.environment !== undefined && b.environment !== undefined && a.environment !== b.environment;
