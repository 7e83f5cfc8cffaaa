/** The results that the steps of the life cycle return to an adapter. */
import type { Properties } from "../core/pulumi-values";

/** The arguments as they are to be recorded, what is wrong with them, and what else stands in the way. */
export interface Checked {
  inputs: Properties;
  issues: string[];
  refusals: string[];
}

export interface Difference {
  changes: boolean;
  /** The arguments that differ. */
  changed: string[];
  /** Those of them that replace the object. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** With an empty id of what does not exist. */
export interface ReadResult {
  id: string;
  props?: Properties;
  inputs?: Properties;
}
