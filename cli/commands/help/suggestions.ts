/** What was probably meant by an option or a word that a command does not have: never what deletes something. */
import { closeMatch } from "../../../sdk/text/did-you-mean";

/** Options of other tools, without their hyphens, and those of this one. */
const options: Record<string, string> = {
  "auto-approve": "--yes",
  out: "esign preview --save-plan <file>",
  "detailed-exitcode": "--expect-no-changes",
  // Read as several options of one letter.
  ar: "-c <key>=<value>",
  var: "-c <key>=<value>",
};

/** What must not be done by someone who has meant another word. */
const destructive = new Set(["cancel", "cancel-all", "delete", "destroy", "down", "expire", "rm", "rm-all"]);

/** An error of the command line, whose suggestions delete nothing. */
export const withSafeSuggestions = (text: string): string =>
  withChoice(withOption(text)).replace(/\n\(Did you mean (?:one of )?([^()]*)\?\)/, (_, list: string) => {
    const words = list.split(", ").filter((word) => !destructive.has(word));
    if (words.length === 0) return "";
    return `\n(Did you mean ${words.length > 1 ? "one of " : ""}${words.join(", ")}?)`;
  });

/** What was probably meant goes before what there is. */
const withChoice = (text: string): string =>
  text.replace(
    /argument '([^']*)' is invalid\. Allowed choices are ([^\n]*)\./,
    (whole, word: string, choices: string) => {
      const near = closeMatch(word, choices.split(", "));
      return near === undefined
        ? whole
        : `argument '${word}' is invalid: did you mean ${near}? Allowed choices are ${choices}.`;
    },
  );

function withOption(text: string): string {
  const name = /unknown option '--?([^'=]+)/.exec(text)?.[1] ?? "";
  return Object.hasOwn(options, name) ? text.replace(/\n/, `\nThe option for this: ${options[name]}\n`) : text;
}
