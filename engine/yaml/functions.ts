/**
 * The functions of a YAML program that only need their argument.
 *
 * Used for: `fn::…` of Pulumi YAML.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { sortedJson } from "../config/file-values";
import { USE_CLI_HINT } from "../monitor/goal-decoder";
import { isMap, isReference, someDeep, unwrapSecrets, type Value } from "../resource/property-value";
import { asSecret, describe, type Evaluated, evaluated, lift } from "./evaluated-values";

/** An error in an argument: a sentence, to which the position is prefixed. */
export class FunctionError extends Error {}

interface FunctionContext {
  /** The folder for relative paths. */
  directory: string;
}

type Builtin = (argument: Evaluated, context: FunctionContext) => Evaluated;

const fail = (message: string): never => {
  throw new FunctionError(message);
};

function textOf(value: Value, what: string): string {
  return typeof value === "string" ? value : fail(`${what} must be a text, not ${describe(value)}`);
}
function listOf(value: Value, what: string): Value[] {
  return Array.isArray(value) ? value : fail(`${what} must be a list, not ${describe(value)}`);
}
/** Two arguments, in a list. */
function pairOf(value: Value, name: string, arguments_: string): [Value, Value] {
  const list = listOf(value, `the argument of fn::${name}`);
  if (list.length !== 2) fail(`fn::${name} takes a list of two: [${arguments_}]`);
  return list as [Value, Value];
}

/** The bytes of a file, by a path that is relative to the program. */
function bytesOf(value: Value, name: string, { directory }: FunctionContext): Buffer {
  const file = textOf(value, `the path of fn::${name}`);
  try {
    return readFileSync(path.resolve(directory, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : String(code);
    return fail(`fn::${name}: ${file}: ${reason} (paths begin at the program's folder)`);
  }
}

const of =
  (work: (value: Value, context: FunctionContext) => Value): Builtin =>
  (argument, context) =>
    lift([argument], (value) => work(value, context));

export const builtins = {
  join: of((value) => {
    const [delimiter, items] = pairOf(value, "join", "delimiter, list");
    const texts = listOf(items, "the second argument of fn::join");
    return texts
      .map((text, index) => textOf(text, `item ${index} of fn::join`))
      .join(delimiter === null ? "" : textOf(delimiter, "the delimiter of fn::join"));
  }),
  split: of((value) => {
    const [delimiter, text] = pairOf(value, "split", "delimiter, text");
    const [whole, separator] = [
      textOf(text, "the second argument of fn::split"),
      textOf(delimiter, "the delimiter of fn::split"),
    ];
    // By characters, as Go does.
    return separator === "" ? [...whole] : whole.split(separator);
  }),
  select: of((value) => {
    const [index, items] = pairOf(value, "select", "index, list");
    const list = listOf(items, "the second argument of fn::select");
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0)
      return fail(`the index of fn::select must be a whole number from 0 on, not ${JSON.stringify(index)}`);
    if (index >= list.length) return fail(`fn::select: there is no item ${index} in a list of ${list.length}`);
    return list[index]!;
  }),
  toJSON: of((value) =>
    someDeep(value, isReference)
      ? fail("fn::toJSON takes no resource: name its outputs, such as ${name.id}")
      : sortedJson(value),
  ),
  toBase64: of((value) => Buffer.from(textOf(value, "the argument of fn::toBase64")).toString("base64")),
  fromBase64: of((value) => {
    const text = textOf(value, "the argument of fn::fromBase64");
    const bytes = Buffer.from(text, "base64");
    const isBase64 = bytes.toString("base64") === text.replace(/[\r\n]/g, "");
    return isBase64 && Buffer.from(bytes.toString()).equals(bytes)
      ? bytes.toString()
      : fail("the argument of fn::fromBase64 must be a text in Base64, of UTF-8");
  }),
  secret: asSecret,
  unsecret: (argument) => evaluated(unwrapSecrets(argument.value), argument.urns),
  readFile: of((value, context) => bytesOf(value, "readFile", context).toString()),
  filebase64: of((value, context) => bytesOf(value, "filebase64", context).toString("base64")),
  filebase64sha256: of((value, context) =>
    createHash("sha256")
      .update(bytesOf(value, "filebase64sha256", context))
      .digest("base64"),
  ),
  sha1: of((value) => createHash("sha1").update(textOf(value, "the argument of fn::sha1")).digest("hex")),
  length: of((value) => {
    if (Array.isArray(value)) return value.length;
    if (typeof value === "string") return [...new Intl.Segmenter().segment(value)].length;
    if (isMap(value)) return Object.keys(value).length;
    return fail(`the argument of fn::length must be a list, an object or a text, not ${describe(value)}`);
  }),
  singleOrNone: of((value) => {
    const list = listOf(value, "the argument of fn::singleOrNone");
    return list.length > 1
      ? fail(`fn::singleOrNone takes a list of at most one item, not ${list.length}`)
      : (list[0] ?? null);
  }),
  pulumiResourceName: (argument) => evaluated(resourceOf(argument, "pulumiResourceName").name),
  pulumiResourceType: (argument) => evaluated(resourceOf(argument, "pulumiResourceType").type),
} satisfies Record<string, Builtin>;

export type BuiltinName = keyof typeof builtins;

const names = Object.keys(builtins) as BuiltinName[];

/** The function of this name in any case; undefined if there is none. */
export const findBuiltin = (name: string): BuiltinName | undefined =>
  names.find((each) => each.toLowerCase() === name.toLowerCase());

function resourceOf({ resource, value }: Evaluated, name: string) {
  return resource ?? fail(`the argument of fn::${name} must be a resource, such as \${name}, not ${describe(value)}`);
}

const noAsset = (name: string) => `fn::${name} makes an asset, which is ${USE_CLI_HINT}`;

/** Functions that only the Pulumi CLI supports, by lower-case name, with their error message. */
const refused: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["stringAsset", "fileAsset", "remoteAsset", "fileArchive", "remoteArchive", "assetArchive"].map((name) => [
      name.toLowerCase(),
      noAsset(name),
    ]),
  ),
  stackreference:
    "fn::stackReference is deprecated: declare a resource of type pulumi:pulumi:StackReference, and use ${name.outputs}",
};

/** The error message for an unknown function. */
export function describeUnknown(name: string): string {
  const lower = name.toLowerCase();
  if (Object.hasOwn(refused, lower)) return refused[lower]!;
  const near = closeMatch(name, names);
  return `fn::${name} is not a function${near ? `, did you mean fn::${near}?` : `; functions: ${names.join(", ")}, invoke`}`;
}
