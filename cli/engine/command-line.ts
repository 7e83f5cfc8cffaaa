/** The command line as the user typed it, for options that are passed on to the Pulumi CLI unchanged. */
let typed: readonly string[] = [];

/** The command line, without the name of the command. */
export const commandLine = (): readonly string[] => typed;

export function setCommandLine(args: readonly string[]): void {
  typed = args;
}
