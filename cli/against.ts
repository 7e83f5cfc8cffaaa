/** The account or folder that another one is held against. */
import { existsSync } from "node:fs";
import { loadFolder } from "../account/load";
import type { AccountModel } from "../account/model";
import { readAccount } from "../account/read";
import { openConnection } from "./connection";
import { UsageError } from "./exit";
import { type ValuesOptions, valuesOf } from "./values";

export const againstHelp =
  "a folder; `account`, the account that ESIGN_BASE_URL and ESIGN_API_KEY or --stack name; `stack:<name>`, the account of that stack";

/** What there is to hold against: its configuration, and what to call it. */
export async function openAgainst(
  text: string,
  options: ValuesOptions,
): Promise<{ model: AccountModel; label: string }> {
  const stack = /^stack:(.+)$/.exec(text)?.[1] ?? (text === "account" ? options.stack : undefined);
  if (text === "account" || stack !== undefined) {
    const { client, source, close } = await openConnection(stack === undefined ? {} : { stack });
    try {
      return { model: await readAccount(client, { companies: "none" }), label: `the account of ${source}` };
    } finally {
      await close();
    }
  }
  if (!existsSync(text)) {
    throw new UsageError(`--against "${text}": there is no such folder; write \`account\` for the account itself`);
  }
  const { values = {} } = valuesOf(options);
  return { model: loadFolder(text, { values, requireValues: false }).account.model, label: text };
}
