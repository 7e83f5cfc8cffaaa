/**
 * The types of arguments and outputs, as programs and editors see them. They are written out and need no package, since editors
 * read them at each keystroke: types inferred from the schemas of `provider/resources` made `tsc` take 1.8 times as long. A test holds
 * both to be the same.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { RoleName } from "../../account-folder/text/roles";
import type { BrandingEmailType, SignatureFormat, WebhookType } from "../../sdk/known-values";

/** A subaccount, as an argument: a `Company` of this program, or the id of a company. */
export type AccountArgument = CompanyResource | pulumi.Input<string>;

/** What the other resources need of a `Company`. */
export interface CompanyResource extends pulumi.CustomResource {
  readonly companyId: pulumi.Output<string>;
  readonly apiKey: pulumi.Output<string>;
}

/** Lists and objects whose members may be outputs. */
type WithInputs<T> = T extends readonly (infer V)[]
  ? pulumi.Input<V>[]
  : T extends Record<string, infer V>
    ? Record<string, pulumi.Input<V>>
    : T;

type Argument<K, T> = K extends "account"
  ? AccountArgument
  : // It becomes the engine's `protect`, which the SDK accepts as a plain value only.
    K extends "deletionProtection"
    ? T
    : pulumi.Input<WithInputs<T>>;

/** Values as arguments. */
type Inputs<V> = { [K in keyof V]: Argument<K, Exclude<V[K], undefined>> | Extract<V[K], undefined> };

/** Values as outputs: each exists. */
type Outputs<V> = { readonly [K in keyof Required<V>]: pulumi.Output<Exclude<V[K], null>> };

/** A resource as programs see it: what it declares and its other outputs. */
export type ResourceOf<V, O> = pulumi.CustomResource & Outputs<V> & Outputs<O>;

/** A resource's class. */
export interface ResourceClass<V, O, A = Inputs<V>> {
  new (name: string, args: A, opts?: pulumi.CustomResourceOptions): ResourceOf<V, O>;
  /** Reads an object that this program does not manage, by its id (within a subaccount: `<company>/<id>`). */
  get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ResourceOf<V, O>;
}

interface InAccount {
  /** The subaccount that it belongs to: a Company or its id. Default: the key's own account. */
  account?: string | number | undefined;
}

interface Restorable extends InAccount {
  /** What deleting the resource, or removing an argument, does: `restore` restores the original value, `keep` leaves the current one. Default: restore. */
  onDelete?: "restore" | "keep" | undefined;
}

/** What a Branding declares. */
export interface BrandingValues extends Restorable {
  /** URL of the logo, a JPG or PNG file. The service copies it. `null` removes the logo, with `esign:edition: current`. */
  logoUrl?: string | null | undefined;
  /** Brand colour as a hex code, `#RRGGBB`. */
  colour?: string | undefined;
}
export interface BrandingArgs extends Inputs<BrandingValues> {}

/** What a Branding has besides. */
export interface BrandingOutputs {
  /** URL of the service's copy of the logo, as of the last write. It may expire. */
  logo?: string | undefined;
}

/** What a BrandingEmail declares. */
export interface BrandingEmailValues extends Restorable {
  /** Which of the emails. */
  type: BrandingEmailType;
  /** Subject line; may contain variables such as `{contract title}`. */
  subject?: string | undefined;
  /** HTML body; may contain variables, and must keep those that the API requires. */
  content?: string | undefined;
  /** Plain-text body; may contain variables, and must keep those that the API requires. */
  contentPlain?: string | undefined;
}
export interface BrandingEmailArgs extends Inputs<BrandingEmailValues> {}

/** What a BrandingEmail has besides. */
export interface BrandingEmailOutputs {
  /** When the email was last changed. */
  updatedAt?: string | undefined;
}

/** What a Webhook declares. */
export interface WebhookValues extends InAccount {
  /** The event to be notified of. */
  type: WebhookType;
  /** The URL that is called. */
  url: string;
  /** What to do if an identical webhook exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting?: "adopt" | "fail" | "create" | undefined;
}
export interface WebhookArgs extends Inputs<WebhookValues> {}

/** What a Webhook has besides. */
export interface WebhookOutputs {
  /** Identifier of the webhook. */
  webhookId: string;
  /** When it was created. */
  createdAt?: string | undefined;
  /** When the service suspended it, since its URL had not answered 200 for three days; absent while it is active. */
  suspendedAt?: string | undefined;
  /** What signs its notifications. Secret. Only the webhook's creation returns it, and only where the service signs; adopting a webhook does not. */
  secret?: string | undefined;
}

/** What a Company declares. */
export interface CompanyValues {
  /** Name of the company. */
  name: string;
  /** Name of its first user. It cannot be changed later. */
  userName: string;
  /** Email address of its first user, one that no other account uses. It cannot be changed later. */
  userEmail: string;
  /** Main email address of the company. Default: chosen by the API from the first user's. */
  email?: string | undefined;
  /** What to do if an identical company exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting?: "adopt" | "fail" | "create" | undefined;
  /** Protects the company, with all data in it, from being deleted. Default: true. */
  deletionProtection?: boolean | undefined;
}
export interface CompanyArgs extends Inputs<CompanyValues> {}

/** What a Company has besides. */
export interface CompanyOutputs {
  /** Identifier of the company. */
  companyId: string;
  /** The company's own key. Secret. After a rotation, `up` reads the new one. */
  apiKey: string;
  /** Identifier of its first user; absent for an adopted company. */
  userId?: string | undefined;
  /** When it was created. */
  createdAt?: string | undefined;
}

/** What a Contact declares. */
export interface ContactValues extends InAccount {
  /** Name of the contact. */
  name: string;
  /** Email address of the contact. An existing contact with this address is adopted. */
  email: string;
  /** What to do if a contact with this email address exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting?: "adopt" | "fail" | "create" | undefined;
}
export interface ContactArgs extends Inputs<ContactValues> {}

/** What a Contact has besides. */
export interface ContactOutputs {
  /** Identifier of the contact. */
  contactId: string;
  /** When it was created. */
  createdAt?: string | undefined;
}

/** What a User declares. */
export interface UserValues extends InAccount {
  /** Name of the user. */
  name: string;
  /** Email address, with which the user signs in. An existing user with this address is adopted. */
  email: string;
  /** What the user may do: `user`, `admin` or `super-admin`. The last administrator of an account keeps the role. */
  role: RoleName;
  /** What to do if a user with this email address exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting?: "adopt" | "fail" | "create" | undefined;
  /** Protects the user, who would lose access, from being deleted. Default: true. */
  deletionProtection?: boolean | undefined;
}
export interface UserArgs extends Inputs<UserValues> {}

/** What a User has besides. */
export interface UserOutputs {
  /** Identifier of the user. */
  userId: string;
  /** When the user was added. */
  createdAt?: string | undefined;
}

/** What Settings declares. */
export interface SettingsValues extends Restorable {
  /** Prints the signer's name and the time under each signature. */
  signatureMoreInfo?: boolean | undefined;
  /** The format of signature that is offered first: `drawn`, `typed` or `upload`. */
  signatureFormatDefault?: SignatureFormat | undefined;
  /** The formats of signature that the account accepts. */
  signatureFormatAccepted?: SignatureFormat[] | undefined;
  /** Attaches the PDF to emails to the recipients; otherwise they have a link only. */
  emailPdfAttach?: boolean | undefined;
  /** Attaches the signed PDF to the email to the company. */
  emailPdfAttachSender?: boolean | undefined;
  /** Sends an email when a recipient opens the envelope. */
  emailEnvelopeOpen?: boolean | undefined;
  /** Sends notices about signed, rejected and cancelled envelopes to the company's main address. */
  emailMainEmail?: boolean | undefined;
  /** The return address of emails is that of the user who sends the envelope. */
  emailReturnAddressUser?: boolean | undefined;
  /** The API's `setting_signing_consumer_regulations_act`. What it does is not documented. */
  signingConsumerRegulationsAct?: boolean | undefined;
  /** The API's `setting_signing_tooltips`. What it does is not documented. */
  signingTooltips?: boolean | undefined;
  /** The API's `setting_signing_questions`. What it does is not documented. */
  signingQuestions?: boolean | undefined;
  /** The API's `setting_pdf_audit_trail_hide`. What it does is not documented. */
  pdfAuditTrailHide?: boolean | undefined;
  /** Settings that have no argument of their own, by the API's names: `{ setting_…: true }`. */
  other?: Record<string, string | number | boolean> | undefined;
}
export interface SettingsArgs extends Inputs<SettingsValues> {}
