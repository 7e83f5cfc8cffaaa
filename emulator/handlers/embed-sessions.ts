/** Sessions in which a person completes a draft. Their page is not part of the emulator. */
import { newFingerprint } from "../domain/identifiers";
import { refuse } from "../domain/strictness";
import { findEnvelope } from "./envelopes";
import type { GroupHandlers } from "./handler";

export const embedSessions: GroupHandlers<"embedSessions"> = {
  create: {
    run({ context, account, form, origin }) {
      const { envelope } = findEnvelope(account, form.envelope_fingerprint);
      const { status } = envelope;
      const isProcessed = status === "draft" && envelope.ready !== undefined;
      if (status !== "draft" || isProcessed)
        refuse(
          context.settings,
          "sessionOfDraft",
          `the envelope is not a draft: ${isProcessed ? "it is of a template, and is sent when it has been processed" : `its status is ${status}`}`,
        );
      return { session_url: `${origin}/embed/${newFingerprint()}` };
    },
  },
};
