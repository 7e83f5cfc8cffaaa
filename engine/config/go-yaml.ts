/**
 * Reads unquoted values in YAML as the CLI does: by older rules than those of the YAML library here.
 * 010 is eight, 1_000 is a thousand, and a date is its first moment.
 *
 * Used for: Pulumi.yaml and Pulumi.<stack>.yaml.
 */
import type { Scalar, ScalarTag, Tags } from "yaml";

/** A text for programs, such as a timestamp in the CLI's format. The file keeps what is written. */
class GoText {
  constructor(readonly text: string) {}
}

/** A reviver that converts values read with {@link goYamlTags} to plain ones. */
export const goYamlReviver = (_key: unknown, value: unknown): unknown => (value instanceof GoText ? value.text : value);

/** The text in the file; a value that a program sets has none. */
const asWritten = ({ source, value }: Scalar): string => source ?? String(value);

/** One that is too large for a number is a text, as is a hash such as 12e34567. */
const numberOrText = (number: number, text: string): number | GoText =>
  Number.isFinite(number) ? number : new GoText(text);

function parseInteger(text: string): bigint | number | GoText {
  const [, sign, digits] = /^([-+]?)(.*)$/.exec(text.replaceAll("_", "")) as unknown as [string, string, string];
  const amount = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const number = BigInt(amount) * (sign === "-" ? -1n : 1n);
  if (BigInt.asUintN(64, number) === number || BigInt.asIntN(64, number) === number) return number;
  // An integer beyond the CLI's range becomes a floating-point number, if its digits are decimal.
  return /^\d+$/.test(digits) ? numberOrText(Number(sign + digits), text) : new GoText(text);
}

/** The text of a date or timestamp; undefined if the day does not exist. */
function formatGoTime(text: string): string | undefined {
  const [, year, month, day, between, time, fraction, zone] = timestamp.exec(text) ?? [];
  // With a space between date and time there is no time zone; with a T there is one.
  if (between !== undefined && (between === " ") !== (zone === undefined)) return undefined;
  const two = (number = "0"): string => number.padStart(2, "0");
  const [hour, minute, second] = (time ?? "0:0:0").split(":");
  const at = `${year}-${two(month)}-${two(day)}`;
  const clock = `${two(hour)}:${two(minute)}:${two(second)}`;
  const date = new Date(`${at}T${clock}Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(`${at}T${clock}`)) return undefined;
  const rest = (fraction ?? "").replace(/\.?0*$/, "");
  const offset = (zone ?? "Z").replace(":", "");
  return `${at} ${clock}${rest} ${offset === "Z" ? "+0000 UTC" : `${offset} ${offset}`}`;
}

const timestamp = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:([Tt ])(\d{1,2}:\d{1,2}:\d{1,2})(\.\d+)?(Z|[-+]\d\d:\d\d)?)?$/;

const goTags: ScalarTag[] = [
  {
    tag: "tag:yaml.org,2002:int",
    default: true,
    identify: (value) => typeof value === "bigint" || Number.isInteger(value),
    test: /^[-+]?(?:0[bB]_*[01][01_]*|0[oO]_*[0-7][0-7_]*|0[xX]_*[\da-fA-F][\da-fA-F_]*|0[0-7_]*|[1-9][\d_]*)$/,
    resolve: (text, _, { intAsBigInt }) => {
      const value = parseInteger(text);
      return typeof value === "bigint" && !intAsBigInt ? Number(value) : value;
    },
    stringify: asWritten,
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    identify: (value) => typeof value === "number",
    test: /^[-+]?(?:\.\d+|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?[\d_]+)?$/,
    resolve: (text) => numberOrText(Number(text.replaceAll("_", "")), text),
    stringify: asWritten,
  },
  {
    tag: "tag:yaml.org,2002:timestamp",
    default: true,
    identify: (value) => value instanceof GoText,
    test: timestamp,
    resolve: (text) => new GoText(formatGoTime(text) ?? text),
    stringify: asWritten,
  },
];

/** For `customTags` of the YAML library. */
export const goYamlTags = (tags: Tags): Tags => [...goTags, ...tags];
