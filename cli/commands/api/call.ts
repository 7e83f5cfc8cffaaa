/** Calls one endpoint and prints its reply. */
import { writeDurably } from "../../../fs/atomic-write";
import type { Endpoint } from "../../../sdk/api/endpoint";
import { isSecretMember } from "../../../sdk/api/secret-members";
import { findNewValues } from "../../../sdk/enum-schemas";
import type { Client, PagedList } from "../../../sdk/index";
import { buildRequest, compileEndpoint } from "../../../sdk/request/validate-input";
import { confirmOrExit } from "../../output/confirm-or-exit";
import { inputIssues } from "../../output/describe-error";
import { UsageError } from "../../output/errors";
import { note, print } from "../../output/terminal";
import { type Connection, type ConnectionOptions, openConnection } from "../../references/connect";
import { fromFile, STDIN } from "./file-values";
import { type Field, kebab } from "./option-names";
import { Mask, showList, showReply, streamJson } from "./show-reply";

export interface ApiOptions extends ConnectionOptions {
  json?: boolean;
  yes?: boolean;
  showSecrets?: boolean;
  keyFile?: string;
  offset?: string;
  limit?: string;
  page?: boolean;
}

export interface Call {
  group: string;
  operation: string;
  endpoint: Endpoint;
  /** Arguments and options, for messages. */
  fields: readonly Field[];
  input: Record<string, unknown>;
  /** The field whose value is in stdin, which is read when all else has been checked. */
  stdin: Field | undefined;
  options: ApiOptions;
}

type Reply = Record<string, unknown>;

/** What ends or removes something in the account is confirmed first. */
export const isDestructive = (operation: string, endpoint: Endpoint): boolean =>
  endpoint.method === "DELETE" || operation === "cancel" || operation === "expire";

/** The field of a new API key or secret, in the reply to a creation. */
const keyFieldOf = ({ method, response }: Endpoint): string | undefined =>
  method === "POST" ? Object.keys(response.shape).find(isSecretMember) : undefined;
export const returnsKey = (endpoint: Endpoint): boolean => keyFieldOf(endpoint) !== undefined;

export async function callEndpoint(typed: Call): Promise<void> {
  const { group, operation, endpoint, options } = typed;
  const page = { ...number("offset", options.offset), ...number("limit", options.limit) };
  const op = compileEndpoint(`${group}.${operation}`, endpoint);
  let call = typed;
  let newValues: ReturnType<typeof findNewValues> = [];
  const connection = await openConnection({
    ...options,
    writes: endpoint.method !== "GET",
    readStdin: () => {
      call = withStdin(typed);
    },
    check: (inputOptions) => {
      try {
        buildRequest(op, { ...call.input, ...page }, inputOptions);
      } catch (error) {
        const problem = asTyped(error, call);
        if (problem !== undefined) throw problem;
      }
      if (!inputOptions.allowUnknownValues) newValues = findNewValues(op.shape, call.input);
    },
  });
  for (const { field, message } of newValues) {
    const label = call.fields.find(({ name }) => name === field)?.short ?? field;
    note(`--${label} ${message}.`);
  }
  try {
    if (isDestructive(operation, endpoint)) {
      const what = [group, kebab(operation), ...Object.values(call.input)].join(" ");
      await confirmOrExit(`${what} in ${connection.client.baseUrl} (${connection.source})?`, options.yes);
    }
    const mask = new Mask(options.showSecrets ?? false);
    if (endpoint.list === undefined) await callOnce(call, connection, mask);
    else await list(call, connection, page, mask);
    if (mask.hasMasked && !options.json) note("Secrets are hidden; use --show-secrets to show them.");
  } finally {
    await connection.close();
  }
}

const isParam = ({ name }: Field, endpoint: Endpoint): boolean => name in endpoint.params.shape;
const nameTyped = (field: Field, endpoint: Endpoint): string =>
  isParam(field, endpoint) ? `<${field.short}>` : `--${field.short}`;

function withStdin({ stdin, input, ...call }: Call): Call {
  const read = stdin && { [stdin.name]: fromFile(STDIN, stdin.short) };
  return { ...call, input: { ...input, ...read }, stdin: undefined };
}

/** An error of input, with fields as they are called on the command line; undefined if what is in stdin may be the remedy. */
function asTyped(error: unknown, { fields, endpoint, stdin }: Call): unknown {
  const all = inputIssues(error);
  if (all === undefined) return error;
  const isOpen = (path: string) => stdin !== undefined && ["", stdin.name].includes(path.split(/[.[]/)[0]!);
  const issues = all.filter(({ path }) => !isOpen(path));
  if (issues.length === 0) return undefined;
  const lines = issues.map(({ path, message }) => {
    const [name = "", ...rest] = path.split(/(?=[.[])/);
    const field = fields.find((each) => each.name === name);
    const label = field === undefined ? path : `${nameTyped(field, endpoint)}${rest.join("")}`;
    // What is wrong with the input as a whole names several fields.
    const text = label === "" ? withOptionNames(message, fields, endpoint) : `${label} ${message}`;
    return `    ${text}`;
  });
  return new UsageError(["invalid input (no request was sent)", ...lines].join("\n"));
}

const withOptionNames = (message: string, fields: readonly Field[], endpoint: Endpoint): string =>
  message.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => {
    const field = fields.find(({ name }) => name === word);
    return field === undefined ? word : nameTyped(field, endpoint);
  });

const methodOf = ({ client }: Connection, { group, operation }: Call) =>
  (client[group as keyof Client] as unknown as Record<string, (...args: unknown[]) => unknown>)[operation]!;

async function callOnce(call: Call, connection: Connection, mask: Mask): Promise<void> {
  const { endpoint, options } = call;
  const reply = (await methodOf(connection, call)(call.input)) as Reply;
  const isTest = reply.test === true && endpoint.method !== "GET";
  if (returnsKey(endpoint)) await showCreated(reply, endpoint, options, mask);
  else showOnce(call, reply, mask, isTest);
  if (isTest) note("This is a test key: the service reported success and changed nothing.");
}

function showOnce(call: Call, reply: Reply, mask: Mask, isTest: boolean): void {
  const { endpoint, options } = call;
  const shown = mask.apply(reply);
  if (options.json) print(JSON.stringify(shown, undefined, 2));
  else if (changedFields(call).length > 0 && !isTest) print(describeUpdate(call));
  else showReply(shown, endpoint);
}

/** `Updated email-send: subject, content`: what was sent need not be repeated. */
function describeUpdate(call: Call): string {
  const { group, fields, input, endpoint } = call;
  const id = fields.filter((field) => isParam(field, endpoint)).map(({ name }) => String(input[name]));
  return `Updated ${id.length > 0 ? id.join(" ") : group}: ${changedFields(call).join(", ")}`;
}

/** What an update sent, by the names of options. */
const changedFields = ({ fields, input, endpoint }: Call): string[] =>
  endpoint.method === "PUT" || endpoint.method === "PATCH"
    ? fields.filter((field) => !isParam(field, endpoint) && field.name in input).map(({ short }) => short)
    : [];

/** A new API key or secret comes once: into a file, or onto a terminal; elsewhere it is hidden, with a word on how to see it. */
async function showCreated(reply: Reply, endpoint: Endpoint, options: ApiOptions, mask: Mask): Promise<void> {
  const field = keyFieldOf(endpoint) ?? "";
  const { [field]: key } = reply;
  const name = field.endsWith("api_key") ? "API key" : "secret";
  const isForTerminal = process.stdout.isTTY === true && !options.json && options.keyFile === undefined;
  if (key && options.keyFile !== undefined) await writeDurably(options.keyFile, `${key}\n`, { mode: 0o600 });
  const shown = isForTerminal ? reply : mask.apply(reply);
  if (options.json) print(JSON.stringify(shown, undefined, 2));
  else showReply(shown, endpoint);
  if (!key) {
    if (options.keyFile !== undefined) note(`The reply has no ${name}: ${options.keyFile} was not written.`);
  } else if (options.keyFile !== undefined) note(`The ${name} is in ${options.keyFile}.`);
  else if (isForTerminal) note(`Keep the ${name}: it is shown only now.`);
  else if (mask.hasMasked) note(`The ${name} is hidden; use --show-secrets or --key-file <path>.`);
  mask.hasMasked = false;
}

async function list(call: Call, connection: Connection, page: object, mask: Mask): Promise<void> {
  const { endpoint, options, input } = call;
  const entries = Object.entries(input);
  const within = entries.filter(([name]) => name in endpoint.params.shape);
  const filters = entries.filter(([name]) => !(name in endpoint.params.shape));
  const listing = methodOf(connection, call)(...(within.length > 0 ? [Object.fromEntries(within)] : []), {
    ...page,
    ...Object.fromEntries(filters),
  }) as PagedList<Reply, Reply>;
  if (options.page) print(JSON.stringify(mask.apply(await listing.page()), undefined, 2));
  else if (options.json) await streamJson(listing, mask);
  else await showList(listing, endpoint.list!.items, mask);
}

function number(name: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {};
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--${name} must be a positive whole number`);
  return { [name]: Number(text) };
}
