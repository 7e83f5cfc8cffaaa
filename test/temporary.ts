/** What tests leave in the folder for temporary files goes with them: they have one of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "esign-tests-";

/** Called for each project: one folder serves all, since some paths must be short, such as that of a browser's socket. */
export default function setup(): () => void {
  if (basename(tmpdir()).startsWith(prefix)) return () => {};
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.env.TMPDIR = folder;
  // The key of this machine, for all processes: tests make none in the home folder.
  process.env.XDG_STATE_HOME = join(folder, "state");
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
