/** Envelopes (§4.4). */
import { refuse } from "./codes";
import type { AreaHandlers } from "./handler";

const later = { run: () => refuse(10009, "envelopes are being built") };

/** Chooses the form by the contents of `envelope_documents`. */
export function chooseCreate(_form: Record<string, string>): "createFromTemplate" | "createFromFiles" {
  return "createFromFiles";
}

export const envelopes: AreaHandlers<"envelopes"> = {
  createFromTemplate: later,
  createFromFiles: later,
  get: later,
  list: later,
  remind: later,
  cancel: later,
  expire: later,
  delete: later,
};
