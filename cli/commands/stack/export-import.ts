/** `esign stack export` and `stack import`: the state as a whole. */
import { text } from "node:stream/consumers";
import { writeDurably } from "../../../fs/atomic-write";
import { parseJsonText } from "../../../fs/json-text";
import { confirmOrExit } from "../../output/confirm-or-exit";
import { UsageError } from "../../output/errors";
import { isInteractive, note, write } from "../../output/terminal";
import { openStack } from "../../project/choose-stack";
import { openProject } from "../../project/open-project";
import { readNamedFile } from "../../references/named-file";
import type { StackOptions } from "./options";

export async function exportState(options: StackOptions): Promise<void> {
  const file = options.out ?? options.file;
  const stack = await openStack(await openProject(), options);
  const json = `${JSON.stringify(await stack.export({ showSecrets: options.showSecrets ?? false }), undefined, 4)}\n`;
  if (file === undefined) {
    write(json);
    return;
  }
  // With --show-secrets it contains them unencrypted: readable by its owner only.
  await writeDurably(file, json, { mode: 0o600 });
  note(`Exported the state of stack "${stack.name}" to ${file}.`);
}

export async function importState(options: StackOptions): Promise<void> {
  const place = options.file ?? "stdin";
  const content = options.file === undefined ? undefined : readNamedFile(options.file).toString();
  const stack = await openStack(await openProject(), options);
  // From a pipe, after everything that the command line alone shows.
  const json = content ?? (await text(process.stdin));
  let deployment: unknown;
  try {
    deployment = parseJsonText(json);
  } catch (error) {
    throw new UsageError(`${place} contains no state: ${(error as Error).message}`);
  }
  await stack.import(deployment, {
    confirm: async () => {
      // Without a terminal it does not ask, like the Pulumi CLI: the old state is in the backups.
      if (isInteractive() && options.file !== undefined)
        await confirmOrExit(`Replace the state of stack ${stack.name} by that of ${place}?`, options.yes);
    },
    force: options.force ?? false,
  });
  note(`Replaced the state of stack "${stack.name}"; the old one is in its backups.`);
}
