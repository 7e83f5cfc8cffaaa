/** What stderr says of requests that are not accepted, where nothing else is set: anyone can send them, as often as he likes. */
import type { ReceiverError, ReceiverErrorCode } from "./errors";
import { type RequestHeaders, readHeader } from "./headers";

/** Milliseconds in which each code has one line at most. */
const INTERVAL = 60_000;

/** Where a request comes from: the other end of the connection, and what a proxy says of who is behind it. */
export interface Sender {
  address: string | null | undefined;
  headers: RequestHeaders;
}

/** A function that prints one line for a rejected request, and of further ones with its code their number, after a minute. */
export function rejectionLog(): (error: ReceiverError, sender: Sender) => void {
  const lines = new Map<ReceiverErrorCode, { time: number; skipped: number }>();
  return (error, sender) => {
    const last = lines.get(error.code);
    const now = performance.now();
    if (last !== undefined && now - last.time < INTERVAL) {
      last.skipped++;
      return;
    }
    lines.set(error.code, { time: now, skipped: 0 });
    const more = last?.skipped ? ` (${last.skipped} more since the last such line)` : "";
    console.error(
      `pulumi-esign/receiver: ${error.status} ${error.code}, from ${describe(sender)}: ${error.message} ` +
        `Likely cause: ${error.likelyCause}.${more} More: docs/reference/receiver.md, "Errors".`,
    );
  };
}

/** Only what can be an address is printed: a header contains whatever its sender likes. */
function describe({ address, headers }: Sender): string {
  const forwarded = readHeader(headers, "x-forwarded-for")?.split(",", 1)[0]?.trim();
  const [direct, behind] = [address, forwarded].map((text) =>
    /^[\d.:a-f]{3,45}$/i.test(text ?? "") ? text : undefined,
  );
  if (direct && behind && direct !== behind) return `${direct} (for ${behind})`;
  return direct ?? behind ?? "an address that is not known";
}
