/** The option that includes kinds which are read on request only. */
import { type Command, InvalidArgumentError } from "commander";
import { onRequestKinds } from "../../definitions/index";
import type { KindDefinition } from "../../definitions/kind";

/** `users`, as the section of account.yaml. */
const nameOf = ({ storage }: KindDefinition) =>
  typeof storage === "object" && "section" in storage ? storage.section : "";

/** Adds the option. */
export function withInclude(command: Command): Command {
  const names = onRequestKinds.map(nameOf).join(", ");
  return command.option(
    "--include <what>",
    `also ${names}, separated by commas, or all (default: those that code manages)`,
    (text): KindDefinition[] => {
      if (text === "all") return [...onRequestKinds];
      return text.split(",").map((name) => {
        const kind = onRequestKinds.find((each) => nameOf(each) === name.trim());
        if (kind === undefined) throw new InvalidArgumentError(`It must be all, or some of ${names}.`);
        return kind;
      });
    },
  );
}
