/** `esign completion <shell>`: a script for the shell, generated from the definition of the commands. */
import { Argument, type Command } from "commander";
import { print } from "../../output/terminal";
import type { CommandGroup } from "../command-group";
import { helpTopics } from "./topics";

type Shell = "bash" | "zsh" | "fish";

export function addCompletion(program: Command, groups: readonly CommandGroup[]): void {
  program
    .command("completion")
    .description("Print a script that completes commands and options in your shell.")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `
Examples:
  $ source <(esign completion bash)        in ~/.bashrc
  $ source <(esign completion zsh)         in ~/.zshrc
  $ esign completion fish > ~/.config/fish/completions/esign.fish`,
    )
    .action(async (shell: Shell) => {
      for (const group of groups) if (!("completion" in group.commands)) (await group.load())(program);
      print(completionScript(shell, candidates(program)));
    });
}

/** What may follow a command: by its words, such as "stack rm"; "" for the program itself. */
function candidates(program: Command): [path: string, words: string[]][] {
  const words = new Map<string, string[]>();
  const visit = (command: Command, path: string) => {
    const help = command.createHelp();
    const subcommands = help.visibleCommands(command).filter((sub) => sub.name() !== "help");
    const options = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
    words.set(path, [...subcommands.map((sub) => sub.name()), ...(path === "" ? ["help"] : []), ...options]);
    for (const sub of subcommands) visit(sub, `${path} ${sub.name()}`.trim());
  };
  visit(program, "");
  words.set("help", [...program.commands.map((command) => command.name()), ...Object.keys(helpTopics), "--all"]);
  words.set("completion", ["bash", "zsh", "fish"]);
  return [...words];
}

function completionScript(shell: Shell, table: readonly [string, string[]][]): string {
  if (shell === "fish") return fishScript(table);
  const cases = table.map(([path, words]) => `    "${path}") choices="${words.join(" ")}" ;;`).join("\n");
  // Not `path` and `words`, which zsh gives a meaning.
  const script = `# Completion of esign, by "esign completion ${shell}".
_esign() {
  local current="\${COMP_WORDS[COMP_CWORD]}" name="" word choices i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ "$word" == -* ]] || name="\${name:+$name }$word"
  done
  while :; do
    choices=""
    case "$name" in
${cases}
    esac
    # Arguments of a command are no part of its name.
    [[ -n "$choices" || "$name" != *" "* ]] && break
    name="\${name% *}"
  done
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
# Files where no word begins like that.
complete -o default -F _esign esign`;
  if (shell === "bash") return script;
  // Without a ~/.zshrc that starts the completion system there is no compdef, which the one of bash needs.
  return `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
autoload -Uz bashcompinit && bashcompinit
${script}`;
}

function fishScript(table: readonly (readonly [string, string[]])[]): string {
  const lines = table.map(([path, words]) => {
    const parts = path.split(" ").filter(Boolean);
    const condition =
      parts.length === 0
        ? "__fish_use_subcommand"
        : parts.map((part) => `__fish_seen_subcommand_from ${part}`).join("; and ");
    // Files follow only where no other word must.
    const areOptionsOnly = words.every((word) => word.startsWith("-"));
    return `complete -c esign -n "${condition}"${areOptionsOnly ? "" : " -f"} -a "${words.join(" ")}"`;
  });
  return ['# Completion of esign, by "esign completion fish".', ...lines].join("\n");
}
