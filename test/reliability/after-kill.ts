/** What a killed run leaves behind. */
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pendingCreatesFolder } from "../../provider/recovery/pending-create-file";
import { longestLag } from "../../sdk/http/read-lag";

/**
 * The CLI writes a state as several files, one after the other. Killed in between, it cannot read it any more ("EOF", or "no stack
 * named"): docs/explanation/guarantees.md says what to do.
 */
export function restoreState(folder: string): void {
  for (const name of readdirSync(folder)) if (statSync(join(folder, name)).size === 0) rmSync(join(folder, name));
  if (!existsSync(join(folder, "dev.json"))) copyFileSync(join(folder, "dev.json.bak"), join(folder, "dev.json"));
}

/** As if the run had been killed long ago: nothing that it has sent is on the way any more. */
export function ageRecords(programFolder: string): void {
  const folder = join(programFolder, pendingCreatesFolder);
  const time = (Date.now() - longestLag) / 1000 - 1;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) utimesSync(join(folder, name), time, time);
}
