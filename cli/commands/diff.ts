/** `esign diff <from> <to>`: how two accounts, folders or stacks differ. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CompanyFilter } from "../../account-folder/company-filter";
import { compare } from "../../account-folder/diff/compare";
import { formatComparison, formatMarkdown } from "../../account-folder/diff/format-diff";
import { onRequestKindsIn } from "../../definitions/index";
import type { KindDefinition } from "../../definitions/kind";
import { asUsageError } from "../output/describe-error";
import { ExitError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { printLines, withoutSecretTexts } from "../output/print-lines";
import { colours, print } from "../output/terminal";
import { rejectUnknownCompanies, withCompanyFilter } from "../references/companies-option";
import { withInclude } from "../references/include-option";
import { comparedSides, type OpenedReference, openReference, scopedTo } from "../references/open-reference";
import { parseReference } from "../references/reference";
import { valuesOfReference, withEnvironmentValues } from "../references/values-of-reference";
import { referencesHint } from "./help/topics";

interface DiffOptions {
  companies?: CompanyFilter;
  include?: KindDefinition[];
  exitCode?: boolean;
  json?: boolean;
  markdown?: boolean;
  context?: number;
}

export function addDiff(program: Command): void {
  withInclude(withCompanyFilter(program.command("diff")))
    .description("Show how <to> differs from <from>: accounts, folders or stacks.")
    .argument("<from>", "account, folder or stack")
    .argument("<to>", "account, folder or stack")
    .option("--exit-code", "exit with 1 if they differ")
    .option("-j, --json", "as JSON, with whole texts")
    .addOption(new Option("--markdown", "as Markdown, for a pull request").conflicts("json"))
    .option("--context <lines>", "unchanged lines around a change (default: 2)", wholeNumber)
    .addHelpText(
      "after",
      `${referencesHint}

Environment-specific differences (values of placeholders, hosts of webhooks)
are listed at the end and do not count. Nor does what an account has and code
does not mention. Logos of accounts are compared by their pictures; what
cannot be compared is listed, too.

Exit codes: 0 compared, 1 differences (with --exit-code), 2 could not compare.

Examples:
  $ esign diff ./account account:production
  $ esign diff account:staging account:production
  $ esign diff stack:production account:production --markdown`,
    )
    .action(async (from: string, to: string, options: DiffOptions) => {
      const differences = await diff(from, to, options).catch((error) => {
        throw asUsageError(error);
      });
      if (differences > 0 && options.exitCode) throw new ExitError(Exit.failed);
    });
}

async function diff(first: string, second: string, options: DiffOptions): Promise<number> {
  const [before, after] = [parseReference(first), parseReference(second)];
  const folderOf = (named: typeof before) => (named.kind === "folder" ? named.path : undefined);
  const otherValues = async (own: typeof before, other: typeof before) => {
    const folder = folderOf(own);
    return folder === undefined ? undefined : await valuesOfReference(other, folder);
  };
  // A folder has placeholders, and knows by them what belongs to an environment.
  const isOfStack = [before, after].some(({ kind }) => kind === "stack") && !folderOf(before) && !folderOf(after);
  const open = async (own: typeof before, other: typeof before, code?: OpenedReference) => {
    const values = await otherValues(own, other);
    const managed = code === undefined ? [] : onRequestKindsIn(code.side.model);
    const target = await openReference(own, {
      include: [...managed, ...(options.include ?? [])],
      ...(options.companies && { companies: options.companies }),
      ...(values && { otherValues: values }),
    });
    return isOfStack ? withEnvironmentValues(own, target) : target;
  };
  // Code is opened first: of an account, what it manages is read.
  const early = before.kind === "account" && after.kind !== "account" ? await open(after, before) : undefined;
  const a = await open(before, after, early);
  try {
    const b = early ?? (await open(after, before, a.side.isAuthoritative ? undefined : a));
    try {
      rejectUnknownCompanies([a.side, b.side], options.companies);
      const sides = await comparedSides({ side: scopedTo(b, a), opened: a }, { side: scopedTo(a, b), opened: b });
      const found = compare(...sides, options.companies);
      const comparison = withoutSecretTexts([...a.secrets, ...b.secrets], [found])(found);
      if (options.json) print(JSON.stringify({ before: first, after: second, ...comparison }, null, 2));
      else if (options.markdown) print(formatMarkdown(comparison, `${first} → ${second}`));
      else {
        print(colours.bold(`${first} → ${second}`));
        printLines(formatComparison(comparison, { context: options.context ?? 2 }));
      }
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
