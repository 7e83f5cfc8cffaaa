/** Commands that one module adds to the program. */
import type { Command } from "commander";

export interface CommandGroup {
  /** Heading in `esign --help`. */
  title: string;
  /** Name and summary of each command. */
  commands: Record<string, string>;
  /** Those that only `esign help --all` explains. */
  rare?: readonly string[];
  /** Other names, with the command that each means. */
  aliases?: Record<string, string>;
  /** Adds the commands of the group to a program. */
  load: () => Promise<(program: Command) => void>;
}
