import { userInfo } from "node:os";

/** The name of the user whose process this is, for people; a number in containers whose user has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
