/** Maximum size of a response, in bytes: far above a page of emails or envelopes. */
export const maxResponseSize = 32 * 1024 * 1024;
