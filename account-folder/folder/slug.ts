import { compose } from "../../definitions/text/normalize";

/** Letters and digits of any script in lower case, with hyphens between. */
export function slug(text: string): string {
  const words = compose(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  return [...words]
    .slice(0, 60)
    .join("")
    .replace(/^-+|-+$/g, "");
}
