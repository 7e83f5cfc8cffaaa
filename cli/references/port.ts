/** The option `--port`. */
import { InvalidArgumentError } from "commander";

/** For commander. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535)
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return Number(text);
}
