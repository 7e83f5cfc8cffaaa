/** `esign explain <code>`: what an error code of the API or of the provider means, offline. */
import type { Command } from "commander";
import { errorCodes as providerCodes } from "../../provider/core/error-codes";
import { withAllNames } from "../../provider/core/setting-names";
import { errorCodes as apiCodes, explain } from "../../sdk/error-codes";
import { UsageError } from "../output/errors";
import { nameValueTable, table } from "../output/table";
import { print } from "../output/terminal";

interface Explanation {
  code?: number | string | undefined;
  /** Of the provider's codes. */
  title?: string;
  cause: string;
  /** Of the API's codes. */
  field?: string | undefined;
  fix: string;
}

export function addExplain(program: Command): void {
  program
    .command("explain [code]")
    .description("Explain an error code of the API or the provider, offline; without a code, list all.")
    .option("-j, --json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ esign explain 10557\n  $ esign explain ESIGN1012\n  $ esign explain")
    .action((code: string | undefined, options: { json?: boolean }) => {
      const explanations = code === undefined ? allExplanations() : find(code);
      if (options.json) print(JSON.stringify(explanations, undefined, 2));
      else print(Array.isArray(explanations) ? list(explanations) : describe(explanations));
    });
}

function allExplanations(): Explanation[] {
  const ofProvider = Object.entries(providerCodes).map(([code, info]) => ({ code, ...info }));
  return [
    ...apiCodes.flatMap((code) => explain(code) ?? []).map((each) => ({ ...each, fix: withAllNames(each.fix) })),
    ...ofProvider,
  ];
}

function find(code: string): Explanation {
  const explanation = allExplanations().find((each) => String(each.code) === code.toUpperCase());
  if (explanation === undefined) {
    throw new UsageError(`${code} is not a known code. Run "esign explain" to list all.`);
  }
  return explanation;
}

const list = (explanations: Explanation[]): string =>
  table(
    ["CODE", "CAUSE", "FIELD"],
    explanations.map(({ code, title, cause, field = "" }) => [String(code ?? ""), title ?? cause, field]),
  );

function describe({ title, cause, field, fix }: Explanation): string {
  const lines: [string, string | undefined][] = [
    ["Error", title],
    ["Cause", cause],
    ["Field", field],
    ["Fix", fix],
  ];
  return nameValueTable(lines.filter((line): line is [string, string] => line[1] !== undefined));
}
