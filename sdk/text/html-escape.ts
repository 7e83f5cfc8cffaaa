/** Escapes and unescapes HTML entities. */

/** Escapes a string for HTML text and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Unescapes a string, even if it was escaped several times (`&amp;amp;`). */
export const unescapeHtml = (text: string): string =>
  text.replace(
    /&(?:amp;)*(lt|gt|quot|apos|nbsp|#0*39|#x0*27|amp);/gi,
    (_, name: string) => characters[name.toLowerCase()] ?? "'",
  );
const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', nbsp: " ", amp: "&" };
