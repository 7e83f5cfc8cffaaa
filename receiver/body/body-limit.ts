/** The largest body that a receiver takes. */

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

export function maxBodyBytes(options: { maxBodyBytes?: number | undefined }): number {
  return options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
}
