/** What was typed, for what is passed on to the Pulumi CLI as it was. */
let typed: readonly string[] = [];

/** The command line, without the name of the command. */
export const commandLine = (): readonly string[] => typed;

export function setCommandLine(args: readonly string[]): void {
  typed = args;
}
