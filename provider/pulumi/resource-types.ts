/** The types of resources as programs see them, from what each declares and returns (`provider/resources`). */
import type * as pulumi from "@pulumi/pulumi";

/** A subaccount, as an argument: a `Company` of this program, or the id of a company. */
export type AccountArgument = CompanyResource | pulumi.Input<string>;

/** What the other resources need of a `Company`. */
interface CompanyResource extends pulumi.CustomResource {
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
export type Inputs<V> = { [K in keyof V]: Argument<K, Exclude<V[K], undefined>> | Extract<V[K], undefined> };

/** Values as outputs: each exists. */
export type Outputs<V> = { readonly [K in keyof Required<V>]: pulumi.Output<Exclude<V[K], null>> };

/** A resource as programs see it: what it declares and its other outputs. */
type ResourceOf<V, O> = pulumi.CustomResource & Outputs<V> & Outputs<O>;

/** A resource's class. */
export interface ResourceClass<V, O, A = Inputs<V>> {
  new (name: string, args: A, opts?: pulumi.CustomResourceOptions): ResourceOf<V, O>;
  /** Reads an object that this program does not manage, by its id (within a subaccount: `<company>/<id>`). */
  get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ResourceOf<V, O>;
}
