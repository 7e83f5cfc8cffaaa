/** Sessions in which a person completes a draft. Their page is not part of the emulator. */
import { throwApiError } from "../domain/errors";
import { newFingerprint } from "../domain/identifiers";
import { refuses } from "../domain/strictness";
import { findEnvelope } from "./envelopes";
import type { GroupHandlers } from "./types";

export const embedSessions: GroupHandlers<"embedSessions"> = {
  create: {
    run({ context, account, form, origin }) {
      const { envelope } = findEnvelope(account, form.envelope_fingerprint);
      // Also one from a template begins as a draft; it is sent when it has been processed.
      const isDraft = envelope.status === "draft" && envelope.ready === undefined;
      if (!isDraft && refuses(context.settings, "sessionOfDraft"))
        throwApiError(10010, `the envelope is no draft: its status is ${envelope.status}`);
      return { session_url: `${origin}/embed/${newFingerprint()}` };
    },
  },
};
