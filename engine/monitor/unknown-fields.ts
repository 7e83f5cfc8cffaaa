/**
 * Reports fields of a program's requests that this engine does not know. An SDK newer than the tested ones may send some, and ignoring
 * them could change what is deployed.
 */

// biome-ignore lint/suspicious/noExplicitAny: generated messages, see node-sdk.ts
type Message = any;

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The fields of each message that this engine reads, rejects by a rule of its own, or may ignore. */
const knownFields = {
  registration:
    wordSet(`type name parent custom object protect dependencies provider propertydependencies deletebeforereplace version
    ignorechanges additionalsecretoutputs aliasurns importid customtimeouts deletebeforereplacedefined remote providers replaceonchanges
    plugindownloadurl pluginchecksums retainondelete aliases deletedwith replacewith replacementtrigger aliasspecs sourceposition
    stacktrace parentstacktracehandle transforms packageref hooks hidediffs envvarmappings statemigrations`),
  reading:
    wordSet(`id type name parent properties dependencies provider version additionalsecretoutputs plugindownloadurl pluginchecksums
    sourceposition stacktrace parentstacktracehandle packageref`),
  timeouts: wordSet("create update delete read"),
  alias: wordSet("name type stack project parenturn noparent parentcase"),
};

/** By the class of a message, the getters of unknown fields. Tested SDKs have none, or never set them. */
const unknownGetters = new WeakMap<object, string[]>();

/** The name of an unknown field that is set; undefined if there is no such field. */
export function unknownField(message: Message, kind: keyof typeof knownFields): string | undefined {
  const type = Object.getPrototypeOf(message) as object;
  let getters = unknownGetters.get(type);
  if (getters === undefined) {
    getters = Object.getOwnPropertyNames(type).filter((name) => isUnknownGetter(name, knownFields[kind]));
    unknownGetters.set(type, getters);
  }
  const found = getters.find((getter) => isSet(message[getter]()));
  return found && nameOf(found);
}

const nameOf = (getter: string): string => getter.replace(/^get(.)/, (_, first: string) => first.toLowerCase());

function isUnknownGetter(getter: string, fields: ReadonlySet<string>): boolean {
  if (!/^get[A-Z]/.test(getter)) return false;
  const name = getter.slice(3).toLowerCase();
  // A flag of what the SDK accepts in a response requests nothing.
  if (/^(accepts?|supports?)/.test(name)) return false;
  return !fields.has(name) && !fields.has(name.replace(/(list|map)$/, ""));
}

function isSet(value: Message): boolean {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object") return typeof value.getLength !== "function" || value.getLength() > 0;
  return Boolean(value);
}
