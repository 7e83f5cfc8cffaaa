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
    .description("The engine installs no plugins; packages are the project's own matter.")
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
  const plugin = program.command("plugin").description("The engine starts plugins that are there, and installs none.");
  plugin
    .command("ls")
    .option("-j, --json", "as JSON")
    .option("--project")
    .action(
      ({ json }: { json?: boolean }) =>
        void (json ? print("[]") : note("The built-in engine has no plugins of its own.")),
    );
  plugin
    .command("install [kind] [name] [version]")
    .option("--server <url>")
    .option("--reinstall")
    .action(() => {
      throw new UsageError(
        'the built-in engine installs no plugins: it starts those in $PULUMI_HOME/plugins, on PATH, and in the folders under "packages" in Pulumi.yaml. The Pulumi CLI installs them',
      );
    });
  plugin
    .command("rm [kind] [name] [version]")
    .option("-a, --all")
    .option("-y, --yes")
    .action(() => void note("The built-in engine has installed no plugins: there is nothing to remove."));
}

function install({ dependencies = true }: { dependencies?: boolean }): void {
  if (!dependencies) return;
  throw new UsageError("the built-in engine installs no packages: run `npm install` in the project's folder");
}
