/** Letters and digits of any script in lower case, with hyphens between. */
export function slug(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  return [...words]
    .slice(0, 60)
    .join("")
    .replace(/^-+|-+$/g, "");
}
