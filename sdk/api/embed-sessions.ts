/** Sessions in which a person completes a draft inside another application. */
import { z } from "zod";
import { endpoint, responseBase } from "./endpoint";
import { text } from "./scalars";

export const create = endpoint({
  method: "POST",
  path: "/v1/embed-sessions",
  summary: "Opens a page for a person to place the fields of a draft, to be shown in a frame. Edition `current`.",
  section: "current 2026-09-04",
  optional: "embed sessions",
  form: z.object({
    /** Identifier of a draft with a document and a party. The documentation describes the draft, not the name of this field. */
    envelope_fingerprint: text,
  }),
  response: responseBase.extend({
    /** URL of the page, for a short time. Who has it can change the draft: neither log nor store it. */
    session_url: z.string(),
  }),
});
