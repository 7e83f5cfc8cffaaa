/**
 * Writes the backend into a project's file, so that the Pulumi CLI, which knows no default, finds the stacks there, too. When, and what
 * the user reads of it: `cli/project/record-backend.ts`.
 *
 * Used for: `backend` of Pulumi.yaml.
 */
import { parse } from "yaml";
import { writeDurably } from "../../fs/atomic-write";
import { readText } from "../../fs/optional-files";
import { isObject } from "../resource/property-value";

/** The folder of the project's file itself: both engines keep the states in `.pulumi` there. */
export const ownFolderUrl = "file://.";

/** The backend in a project's file. */
const backendLines = `backend:
  # State in .pulumi beside this file. Without this line it is where \`pulumi login\` keeps it.
  url: ${ownFolderUrl}
`;

/** Adds the backend and changes nothing else. Returns false if the file already has one or cannot be written. */
export async function writeBackend(file: string): Promise<boolean> {
  try {
    const text = (await readText(file)) ?? "";
    const before: unknown = parse(text);
    if (!isObject(before) || "backend" in before) return false;
    const wanted = { ...before, backend: { url: ownFolderUrl } };
    const isJson = file.endsWith(".json");
    const after = isJson ? `${JSON.stringify(wanted, undefined, 4)}\n` : `${text.trimEnd()}\n${backendLines}`;
    // A file in YAML's flow style cannot be extended by a line.
    if (JSON.stringify(parse(after)) !== JSON.stringify(wanted)) return false;
    await writeDurably(file, after);
    return true;
  } catch {
    return false;
  }
}
