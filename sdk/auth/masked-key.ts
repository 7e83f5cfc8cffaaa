/** Recognizes API keys of which a response shows only a part. */

/** The key; undefined if there is none, or if some of it is replaced by stars: a part must not pass for the whole. */
export function unmaskedKey(key: string | null | undefined): string | undefined {
  return !key || /\*{2}|[•…]/.test(key) ? undefined : key;
}
