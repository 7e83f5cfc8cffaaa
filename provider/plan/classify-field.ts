/** Decides what an update does with one field. */

export interface FieldFacts {
  /** The program declares the field; the state declared it. */
  isDeclared: boolean;
  wasDeclared: boolean;
  /** An update with unknown outcome has sent it. */
  isUnconfirmed: boolean;
  /** The live value is the declared one. */
  isLive: boolean;
  /** The state displays the declared value: the plan shows no change of the field. */
  isDisplayed: boolean;
  /** The plan has shown the live value, or nothing is to be shown. */
  isExpected: boolean;
  /** There is an original value other than the live one, and it is to be restored. */
  needsRestore: boolean;
}

/**
 * - `ignore`: it was never managed
 * - `release`: it is not managed any more; its live value stays
 * - `restore`: it is not managed any more; its original value is written
 * - `record`: it is as declared already, by a run whose response was lost or by a change outside Pulumi
 * - `leave`: the plan shows no change of it; if it has drifted, the next refresh shows that
 * - `write`: the declared value is written
 */
type FieldAction = "ignore" | "release" | "restore" | "record" | "leave" | "write";

export function classifyField(field: FieldFacts): FieldAction {
  if (field.isDeclared) {
    if (field.isLive) return "record";
    const isPlanned = !field.wasDeclared || !field.isDisplayed;
    return isPlanned || (field.isUnconfirmed && !field.isExpected) ? "write" : "leave";
  }
  if (!field.wasDeclared && !field.isUnconfirmed) return "ignore";
  return field.needsRestore ? "restore" : "release";
}
