/** Parses the values of options, for commander. */
import { InvalidArgumentError } from "commander";

export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535)
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return Number(text);
}

export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a positive whole number.");
  return Number(text);
}

export function positiveNumber(text: string): number {
  if (!(Number(text) > 0)) throw new InvalidArgumentError("It must be a number greater than 0.");
  return Number(text);
}
