/** The secrets of webhooks: what can be one, and where they come from. */
import { ReceiverError } from "./errors";

/** One secret, or several: while a webhook is replaced, notifications of the old and the new one arrive. */
export type Secrets = string | readonly string[];

/** Secrets that come later, for example from a secret manager. The function is called for each notification. */
export type LaterSecrets = PromiseLike<Secrets> | (() => Secrets | PromiseLike<Secrets>);

/** Text files end with a line break, `echo` on Windows leaves a space before it, and an editor may begin with a byte order mark. */
export const withoutSpace = (secret: string) => secret.trim();

const missing = "needs the secret of the webhook";

/** Texts that are no secret, and would reject every notification: what each is, and the remedy. */
const noSecrets: readonly (readonly [RegExp, string])[] = [
  [/^$/, missing],
  // Double and single quotes, and backticks.
  [/^([\x22\x27\x60]).*\1$/s, "is in quotes, which belong to the file that it comes from: remove them"],
  [/^[[{].*[\]}]$/s, "is a list or an object as text: pass JSON.parse(text)"],
  [/^(undefined|null|NaN|true|false)$/, "is a variable without a value that was made a text: set the variable"],
  [/^(\$\{?\w+\}?|<.*>|%\w+%)$/s, "is the name of a variable instead of its value: set the variable"],
  [/^(export )?[A-Z][A-Z0-9_]{2,}=[^=]/, "is a line of an .env file: pass what follows the ="],
];

/** What only a text of its own can be: in a list each text is one secret, whatever it contains. */
const several: readonly (readonly [RegExp, string])[] = [
  [
    /[,;\s]/,
    'has several parts, which are taken for several secrets: pass them as a list, such as text.split(","), and a single secret as [secret]',
  ],
];

/** Why a text is no secret, as the end of a sentence; undefined if it can be one. */
export function secretMistake(secret: string, isOfList = false): string | undefined {
  const text = withoutSpace(secret);
  return [...noSecrets, ...(isOfList ? [] : several)].find(([pattern]) => pattern.test(text))?.[1];
}

/** The secrets as a list. Throws `options-invalid`, never with a secret, for what would reject or accept everything. */
export function listOfSecrets(secrets: unknown): readonly string[] {
  const fail = (problem: string): never => {
    throw new ReceiverError("options-invalid", `secrets ${problem}`);
  };
  if (typeof secrets === "string") {
    const mistake = secretMistake(secrets);
    return mistake === undefined ? [secrets] : fail(mistake);
  }
  if (!Array.isArray(secrets) || secrets.length === 0) return fail(`${missing}, or false to accept anyone`);
  for (const [index, secret] of secrets.entries()) {
    const mistake = typeof secret === "string" ? secretMistake(secret, true) : missing;
    if (mistake !== undefined) fail(`${mistake} (number ${index + 1} of the list)`);
  }
  return secrets;
}

export function areLater(secrets: unknown): secrets is LaterSecrets {
  return typeof secrets === "function" || typeof Object(secrets).then === "function";
}

/** The secrets of a function or promise. Throws `secrets-missing` if it fails, and `options-invalid` for what it must not return. */
export async function resolveSecrets(secrets: LaterSecrets): Promise<readonly string[]> {
  let found: Secrets;
  try {
    found = await (typeof secrets === "function" ? secrets() : secrets);
  } catch (error) {
    // Its message may contain anything: who wants it reads `cause`.
    throw new ReceiverError("secrets-missing", undefined, { cause: error });
  }
  return listOfSecrets(found);
}
