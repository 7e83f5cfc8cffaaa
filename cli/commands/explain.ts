/** `esign explain <code>`: what an error code of the API means, offline. */
import type { Command } from "commander";
import { errorCodes, explain } from "../../sdk/error-codes";
import { UsageError } from "../output/exit-codes";
import { record, table } from "../output/table";
import { print } from "../output/terminal";

export function addExplain(program: Command): void {
  program
    .command("explain [code]")
    .description("Explain an API error code, offline; without a code, list all.")
    .option("-j, --json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ esign explain 10557\n  $ esign explain")
    .action((code: string | undefined, options: { json?: boolean }) => {
      if (code === undefined) {
        const all = errorCodes.map((known) => explain(known)).filter((entry) => entry !== undefined);
        if (options.json) print(JSON.stringify(all, undefined, 2));
        else
          print(
            table(
              ["CODE", "CAUSE", "FIELD"],
              all.map((e) => [String(e.code), e.cause, e.field ?? ""]),
            ),
          );
        return;
      }
      const found = /^\d+$/.test(code) ? explain(Number(code)) : undefined;
      if (found === undefined) {
        throw new UsageError(
          `${code} is not a known code. Run "esign explain" to list the ${errorCodes.length} known codes.`,
        );
      }
      if (options.json) print(JSON.stringify(found, undefined, 2));
      else {
        const lines: [string, string][] = [["Cause", found.cause]];
        if (found.field !== undefined) lines.push(["Field", found.field]);
        print(record([...lines, ["Fix", found.fix]]));
      }
    });
}
