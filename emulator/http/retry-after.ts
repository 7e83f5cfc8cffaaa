/** The header Retry-After, in the forms that services send. */

type RetryAfterStyle = "seconds" | "date" | "none";

/** `seconds`: until a retry. */
export function retryAfter(now: Date, seconds: number, style: RetryAfterStyle): Record<string, string> {
  if (style === "none") return {};
  // Neither format has fractions of a second; rounded down would be too early.
  if (style === "seconds") return { "retry-after": String(Math.ceil(seconds)) };
  return { "retry-after": new Date(Math.ceil(now.getTime() / 1000 + seconds) * 1000).toUTCString() };
}
