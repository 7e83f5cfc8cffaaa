/** Paths of members, as messages and engines name them: `other.setting_x`, `formats[1]`, `other["x y"]`. */

/** A step of a path, after what it is in. */
export function memberStep(name: PropertyKey): string {
  if (typeof name === "number") return `[${name}]`;
  const text = String(name);
  return /^[A-Za-z_]\w*$/.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`;
}

/** The argument that a path begins with. */
export const argumentOfPath = (path: string): string => path.split(/[.[]/, 1)[0]!;
