/** Commands that the Automation API calls besides those on stacks: `whoami`, plugins, organizations. */
import type { Command } from "commander";
import { userName } from "../../fs/user-name";
import { UsageError } from "../output/errors";
import { note, print } from "../output/terminal";
import { openProject } from "../project/open-project";
import { printVersion } from "./compatibility";

export function addAbout(program: Command): void {
  program
    .command("version")
    .description("Print the version of the Pulumi CLI that this is compatible with.")
    .action(() => printVersion());
  program
    .command("whoami")
    .description("Print the user of this machine, and where states are kept.")
    .option("-j, --json", "as JSON")
    .option("-v, --verbose", "with the place of the states")
    .action(whoami);
  addPlugin(program);
  const org = program.command("org").description("File backends have no organizations.");
  org.command("get-default").action(() => void print("organization"));
  org.command("set-default <name>").action(() => {
    throw new UsageError("file backends have no organizations: there is none to set as the default");
  });
  program
    .command("install")
    .description("The engine needs no plugins; packages are the project's own matter.")
    .option("--no-plugins")
    .option("--no-dependencies")
    .option("--reinstall")
    .option("--use-language-version-tools")
    .action(install);
}

async function whoami({ json, verbose }: { json?: boolean; verbose?: boolean }): Promise<void> {
  const user = userName();
  const { url } = (await openProject()).backend;
  if (json) print(JSON.stringify({ user, url }, undefined, 2));
  else print(verbose ? `User: ${user}\nBackend URL: ${url}` : user);
}

function addPlugin(program: Command): void {
  const plugin = program
    .command("plugin")
    .description("The engine runs dynamic resources only, which need no plugins.");
  plugin
    .command("ls")
    .option("-j, --json", "as JSON")
    .option("--project")
    .action(
      ({ json }: { json?: boolean }) => void (json ? print("[]") : note("No plugins: the built-in engine needs none.")),
    );
  plugin
    .command("install [kind] [name] [version]")
    .option("--server <url>")
    .option("--reinstall")
    .action((kind?: string, name?: string) => {
      throw new UsageError(
        `the built-in engine of pulumi-esign runs dynamic resources only; it cannot use the plugin ${[kind, name].filter(Boolean).join(" ")}. Use the Pulumi CLI`,
      );
    });
  plugin
    .command("rm [kind] [name] [version]")
    .option("-a, --all")
    .option("-y, --yes")
    .action(() => void note("No plugins: there is nothing to remove."));
}

function install({ dependencies = true }: { dependencies?: boolean }): void {
  if (!dependencies) return;
  throw new UsageError("the built-in engine installs no packages: run `npm install` in the project's folder");
}
