/** The display of a deployment: for people, or for machines. It is loaded when there is something to show. */
import type { Display } from "../display/display";
import { canRepaint, colours, isVerbose, toTerminalCharacters, write } from "../output/terminal";
import type { DeployOptions } from "./run-options";

export async function openDisplay(
  options: DeployOptions,
  engine: string,
  account: string | undefined,
): Promise<Display> {
  if (options.json) {
    const { jsonDisplay } = await import("../display/json-display.js");
    return jsonDisplay((text) => void write(text), account);
  }
  const { createDisplay } = await import("../display/display.js");
  return createDisplay({
    // It moves the cursor itself, and escapes what would move it otherwise.
    write: (text) => void process.stdout.write(toTerminalCharacters(process.stdout, text)),
    colours,
    live: canRepaint(),
    columns: () => process.stdout.columns || 80,
    diff: options.diff ?? false,
    showSames: options.showSames ?? false,
    verbose: isVerbose(),
    refresh: options.refresh === true,
    engine,
    ...(account !== undefined && { account }),
  });
}
