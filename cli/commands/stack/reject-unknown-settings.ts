/** Refuses what the next preview would refuse: a key `esign:…` that is not the name of a setting. */
import { UsageError } from "../../output/errors";

/** @param isPath whether keys are paths into objects, which begin with a name */
export async function rejectUnknownSettings(
  project: { name: string },
  keys: readonly string[],
  isPath = false,
): Promise<void> {
  const named = keys.map((key) => {
    const name = isPath ? key.replace(/[.[].*$/s, "") : key;
    return name.includes(":") ? name.replace(/^esign:config:/, "esign:") : `${project.name}:${name}`;
  });
  if (!named.some((key) => key.startsWith("esign:"))) return;
  // With the schemas of all settings: only for a command that sets one.
  const { unknownConfigIssue } = await import("../../../provider/session/unknown-settings.js");
  const issue = unknownConfigIssue(named, project.name);
  if (issue !== undefined) throw new UsageError(`Nothing was set: ${issue}`);
}
