/** What is compared, and what comes of it. */
import type { CompanyFilter } from "../company-filter";
import type { Values } from "../folder/load";
import type { AccountModel } from "../model";

/** One of the two configurations that are compared. */
export interface ConfigSource {
  model: AccountModel;
  /** How the user named it, for words. */
  label: string;
  /**
   * True for an account: it says everything that there is. False for code (a folder, a stack), which may manage a part:
   * what it does not mention is not managed, which is no difference.
   */
  isAuthoritative: boolean;
  /**
   * Tells environments apart, such as a stack's name or a fingerprint of a key. Two sides with different ones may differ
   * in addresses only because their environments do; absent: no such guess is made.
   */
  environment?: string;
  /** True for a folder whose values are not filled in: it stands for every environment. */
  isUnresolved?: boolean;
  /** For a folder: whether a text of it would read like this with the values of the other side. */
  matchesTemplate?: (place: FieldPlace, text: string, other: ConfigSource) => boolean;
  /** For a folder: what stands in the texts of the account, or of a sub account, for the names of values. */
  ownValues?: (company?: string) => Values;
}

export type ResourceKind = "Branding" | "BrandingEmail" | "Webhook" | "Company";

/** One field of a resource. A member that is absent is not set, or not managed. */
export interface FieldChange {
  field: string;
  before?: string;
  after?: string;
}

/** Where a text stands. */
export interface FieldPlace {
  /** Name of the sub account; absent for the account itself. */
  company?: string;
  kind: ResourceKind;
  /** The type of an e-mail, the name of a webhook in its folder, the name of a sub account. */
  name?: string;
  field: string;
}

/** How one resource differs. */
export interface ResourceChange {
  kind: ResourceKind;
  /** The type of an e-mail, type and address of a webhook, the name of a sub account; absent for Branding. */
  name?: string;
  /** Name of the sub account that it belongs to; absent for the account itself. */
  company?: string;
  /** Identifier of that sub account on the second side, else on the first, where known: several may have one name. */
  companyId?: string;
  /** `add`: only the second has it. `remove`: only the first has it. */
  action: "add" | "remove" | "change";
  /** The service's identifier on the side that has it, where known. */
  id?: string;
  fields: FieldChange[];
}

/** A difference that is left out, with the reason in words. */
export interface IgnoredDifference extends ResourceChange {
  reason: string;
}

export interface Comparison {
  /** The differences, in the order Branding, e-mails, webhooks, sub accounts. */
  changes: ResourceChange[];
  /** Differences between environments. */
  environment: IgnoredDifference[];
  /** What an account has and code does not mention. */
  unmanaged: IgnoredDifference[];
}

export interface ComparisonContext {
  before: ConfigSource;
  after: ConfigSource;
  companies: CompanyFilter;
  company?: string;
  companyId?: string | undefined;
  result: Comparison;
}

interface Environment {
  environment?: string | undefined;
}

/** Whether two sides are known to be of different environments. */
export const isOtherEnvironment = (a: Environment, b: Environment): boolean =>
  a.environment !== undefined && b.environment !== undefined && a.environment !== b.environment;
