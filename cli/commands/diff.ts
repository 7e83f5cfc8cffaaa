/** `esign diff <A> <B>`: how two accounts, folders or stacks differ, in words. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CompanyFilter } from "../../account-folder/company-filter";
import { compare } from "../../account-folder/diff/compare";
import { formatComparison, formatMarkdown } from "../../account-folder/diff/format";
import { asUsageError } from "../output/error";
import { Exit, ExitError } from "../output/exit-codes";
import { printLines, withoutSecretTexts } from "../output/print";
import { print } from "../output/terminal";
import { rejectUnknownCompanies, withCompanyFilter } from "../targets/company-filter";
import { openTarget, parseTarget, referenceHelp, scopedTo, valuesOf } from "../targets/target";

interface DiffOptions {
  companies?: CompanyFilter;
  json?: boolean;
  markdown?: boolean;
  context: number;
}

/** Exit codes as those of `diff`: what scripts expect of a command of this name. */
const DIFFERENT = Exit.failed;

export function addDiff(program: Command): void {
  withCompanyFilter(program.command("diff"))
    .description("Show what would have to change in the first for it to be like the second.")
    .argument("<A>", "account, folder or stack")
    .argument("<B>", "account, folder or stack")
    .option("--json", "the differences with their whole texts, as JSON")
    .addOption(new Option("--markdown", "for a pull request").conflicts("json"))
    .option("--context <lines>", "unchanged lines around a change", wholeNumber, 2)
    .addHelpText(
      "after",
      `${referenceHelp}

What belongs to an environment (the values of a folder's \${names}, the host of a webhook, the service's own copy of a
logo) is recognised, listed at the end, and no difference. So is what an account has and code does not mention.

Exit codes: 0 no differences, 1 differences, 2 they could not be compared.

Examples:
  $ esign diff ./account account:production
  $ esign diff account:staging account:production
  $ esign diff stack:production account:production --markdown`,
    )
    .action(async (a: string, b: string, options: DiffOptions) => {
      let differences: number;
      try {
        differences = await diff(a, b, options);
      } catch (error) {
        throw asUsageError(error);
      }
      if (differences > 0) throw new ExitError(DIFFERENT);
    });
}

async function diff(first: string, second: string, options: DiffOptions): Promise<number> {
  const [before, after] = [parseTarget(first), parseTarget(second)];
  const folderOf = (named: typeof before) => (named.kind === "folder" ? named.path : undefined);
  const otherValues = async (own: typeof before, other: typeof before) => {
    const folder = folderOf(own);
    return folder === undefined ? undefined : await valuesOf(other, folder);
  };
  const open = async (own: typeof before, other: typeof before) => {
    const values = await otherValues(own, other);
    return openTarget(own, {
      ...(options.companies && { companies: options.companies }),
      ...(values && { otherValues: values }),
    });
  };
  const a = await open(before, after);
  try {
    const b = await open(after, before);
    try {
      rejectUnknownCompanies([a.side, b.side], options.companies);
      const found = compare(scopedTo(b, a), scopedTo(a, b), options.companies);
      const comparison = withoutSecretTexts([...a.secrets, ...b.secrets], [found])(found);
      if (options.json) print(JSON.stringify({ before: first, after: second, ...comparison }, null, 2));
      else if (options.markdown) print(formatMarkdown(comparison, `${first} → ${second}`));
      else printLines(formatComparison(comparison, { context: options.context }));
      return comparison.changes.length;
    } finally {
      await b.close();
    }
  } finally {
    await a.close();
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
