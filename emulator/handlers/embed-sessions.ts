/** Sessions in which a person completes a draft. Their page is not part of the emulator. */
import { newFingerprint } from "../domain/identifiers";
import { refuse } from "../domain/strictness";
import { findEnvelope } from "./envelopes";
import type { GroupHandlers } from "./handler";

export const embedSessions: GroupHandlers<"embedSessions"> = {
  create: {
    run({ context, account, form, origin }) {
      const { envelope } = findEnvelope(account, form.envelope_fingerprint);
      // Also one from a template begins as a draft; it is sent when it has been processed.
      const isDraft = envelope.status === "draft" && envelope.ready === undefined;
      if (!isDraft)
        refuse(context.settings, "sessionOfDraft", `the envelope is not a draft: its status is ${envelope.status}`);
      return { session_url: `${origin}/embed/${newFingerprint()}` };
    },
  },
};
