/**
 * Writes the backend into a project's file, so that the Pulumi CLI, which knows no default, finds the stacks there, too.
 *
 * Used for: `backend` of Pulumi.yaml.
 */
import { parse } from "yaml";
import { writeDurably } from "../../fs/atomic-write";
import { readText } from "../../fs/optional-files";
import { isObject } from "../resource/property-value";

/** The folder of the project's file itself: both engines keep the states in `.pulumi` there. */
export const ownFolderUrl = "file://.";

/** What a project's file says about it. */
export const backendLines = `backend:
  # State in .pulumi beside this file. Without this line it is where \`pulumi login\` keeps it.
  url: ${ownFolderUrl}
`;

/** Adds the backend, and changes nothing else. False for a file that has one, or that cannot be written. */
export async function recordBackend(file: string): Promise<boolean> {
  try {
    const text = (await readText(file)) ?? "";
    const before: unknown = parse(text);
    if (!isObject(before) || "backend" in before) return false;
    const wanted = { ...before, backend: { url: ownFolderUrl } };
    const isJson = file.endsWith(".json");
    const after = isJson ? `${JSON.stringify(wanted, undefined, 4)}\n` : `${text.trimEnd()}\n${backendLines}`;
    // A file in another style of YAML takes no more lines.
    if (JSON.stringify(parse(after)) !== JSON.stringify(wanted)) return false;
    await writeDurably(file, after);
    return true;
  } catch {
    return false;
  }
}
