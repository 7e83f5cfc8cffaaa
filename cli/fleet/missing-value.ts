/** A value that a customer lacks, with where a fleet takes it from: what `config set` would set, its next run would remove. */
import type { MissingValues } from "../../engine/index";

const inCustomersFile = (problem: string): string =>
  `${problem}\nAdd the value to the customer in the file of customers.`;

/** The message of the built-in engine's error; undefined for another one. By its code, not its class: another instance of the module may have thrown it. */
export function missingValueOf(error: Error): string | undefined {
  const { code, problem } = error as Partial<MissingValues>;
  return code === "missing-values" && problem !== undefined ? inCustomersFile(problem) : undefined;
}

/** The Pulumi CLI's errors are texts without a code, so its words are looked for. */
export const withCustomersFile = (message: string): string =>
  /\bis missing configuration value\b/.test(message) ? inCustomersFile(message) : message;
