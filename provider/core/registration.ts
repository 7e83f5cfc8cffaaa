/** What an adapter knows about the resource of a call, besides its properties. */

/** A resource as the program registers it. */
export interface Registration {
  /** Name of the resource. */
  name?: string;
  /** The arguments that are secret; undefined if it is not known which. */
  secrets?: readonly string[];
  /** True if nothing is to be written. */
  isPreview: boolean;
  /** URN of the resource. */
  urn?: string;
  /** URN of the company that it belongs to, if that is a resource of the program. In a preview the company's id may be unknown. */
  company?: string;
}
