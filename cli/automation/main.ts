/**
 * The command that Pulumi's Automation API starts when it is to use the built-in engine: the words of the Pulumi CLI, as
 * far as that API uses them. It is no bin of the package, where it would shadow the Pulumi CLI.
 */
import "../node-version";
import "../compile-cache";
import { setInteractive } from "../output/terminal";
import { setProjectDefaults } from "../project/open-project";
import { printVersion } from "./compatibility";

async function main(args: string[]): Promise<void> {
  // Asked for by every program that uses the API, before anything else.
  if (args[0] === "version" && !args.includes("--help")) return printVersion();
  setInteractive(false);
  setProjectDefaults({ engine: "embedded", needsBackend: true });
  const { run } = await import("./run.js");
  process.exitCode = await run(args);
}

void main(process.argv.slice(2));
