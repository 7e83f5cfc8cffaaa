/** Installs a new project's dependencies, with the package manager that runs this command. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Exit, ExitError } from "../../output/exit-codes";
import { errorColours, note } from "../../output/terminal";

/** npm, pnpm and Yarn say who they are to what they run, as in `pnpm dlx pulumi-esign init`. */
export const packageManager = (env: NodeJS.ProcessEnv = process.env): string =>
  /^(npm|pnpm|yarn|bun)\//.exec(env.npm_config_user_agent ?? "")?.[1] ?? "npm";

export async function install(folder: string): Promise<void> {
  const manager = packageManager();
  note(errorColours.dim(`Running ${manager} install…`));
  // On Windows package managers are scripts, which only a shell runs. No argument is the user's.
  const child = spawn(`${manager} install`, { cwd: folder, shell: true, stdio: ["ignore", 2, 2] });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code === 0) return;
  note(`error: ${manager} install failed; the project's files are written. Run it again in ${folder}`);
  throw new ExitError(Exit.failed);
}
