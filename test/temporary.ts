/** What tests leave in the folder for temporary files goes with them: they have one of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "esign-tests-"));
  process.env.TMPDIR = folder;
  // The key of this machine, for all processes: tests make none in the home folder.
  process.env.XDG_STATE_HOME = join(folder, "state");
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
