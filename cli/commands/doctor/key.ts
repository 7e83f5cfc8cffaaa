/** What the account's key gives access to: whose it is, and what the service grants it. */
import { plural } from "../../../definitions/text/display";
import { ApiError, type Client } from "../../../sdk/index";
import { type CheckResult, resultOfError } from "./check-result";

export async function checkKey(client: Client, stack: string | undefined, isExpected: boolean): Promise<CheckResult> {
  const check = "key";
  try {
    await client.branding.get();
    const fingerprint = await client.keyFingerprint();
    const command = `esign config set${stack === undefined ? "" : ` --stack ${stack}`} esign:expectAccount ${fingerprint}`;
    return {
      check,
      state: "ok",
      finding: `accepted, fingerprint ${fingerprint}`,
      // Of no use where it is set already.
      ...(!isExpected && { advice: `To let a stack deploy to this account only:\n${command}` }),
    };
  } catch (error) {
    return { check, state: "fail", ...resultOfError(error) };
  }
}

/** Whether a stack may deploy with it. */
export async function expectedAccount(client: Client, expected: readonly string[]): Promise<CheckResult> {
  const check = "account";
  if (expected.includes(await client.keyFingerprint()))
    return { check, state: "ok", finding: "allowed by esign:expectAccount" };
  const finding = `not allowed by esign:expectAccount: ${expected.join(", ")}`;
  return { check, state: "fail", finding, advice: "Use the right key: writes with this one are rejected." };
}

export async function partner(client: Client): Promise<CheckResult> {
  const check = "partner";
  try {
    const page = await listSubaccounts(client);
    if (page === undefined) return { check, state: "ok", finding: "no (companies and usage not available)" };
    const count = plural(page.total_companies ?? page.companies.length, "subaccount");
    return { check, state: "ok", finding: `yes, ${count}` };
  } catch (error) {
    return { check, state: "warn", ...resultOfError(error) };
  }
}

/** The first page; undefined for an account that is no partner, as a client knows whose key was accepted in another call. */
export async function listSubaccounts(client: Client) {
  try {
    return await client.companies.list({ limit: 1 }).page();
  } catch (error) {
    if (error instanceof ApiError && error.isNotPartner) return undefined;
    throw error;
  }
}

/** The page size that the service grants. */
export async function pageSize(client: Client): Promise<CheckResult> {
  const check = "pages";
  try {
    const { limit } = await client.webhooks.list().page();
    return { check, state: "ok", finding: `page size: ${limit ?? "?"}` };
  } catch (error) {
    return { check, state: "warn", ...resultOfError(error) };
  }
}

export async function testKey(client: Client, write: boolean): Promise<CheckResult> {
  const check = "test key";
  const isOne = {
    check,
    state: "fail",
    finding: "yes: its writes change nothing",
    advice: "Use a live key to deploy.",
  } as const;
  try {
    const { branding_colour: colour, test } = await client.branding.get();
    if (test === true) return isOne;
    if (!write) return { check, state: "skip", finding: "skipped (needs --write)" };
    if (!colour) return { check, state: "skip", finding: "skipped (no colour to rewrite)" };
    const reply = await client.branding.update({ branding_colour: colour });
    if (reply.test === true) return isOne;
    return { check, state: "ok", finding: "no: its writes count" };
  } catch (error) {
    return { check, state: "warn", ...resultOfError(error) };
  }
}
