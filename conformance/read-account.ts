/** Reads everything that an account has, with GET alone, and notes how its responses differ from what is documented. */

import type { OperationName } from "../emulator/response-members";
import { type Endpoint, fillPath } from "../sdk/api/endpoint";
import { allEndpoints } from "../sdk/api/index";
import { knownValuesOf } from "../sdk/enum-schemas";
import { compareAll } from "./all-responses";
import { expectedError, expectedResponse } from "./expectations";
import { aspect, type Fact, inBoth } from "./fact";
import { itemsOf, orderBy, readPages } from "./lists";
import { Observed } from "./member-formats";
import { type Reply, refusalOf, type Sender, succeeded } from "./sender";
import { formatOf } from "./value-formats";

/** What could not be compared, and why. */
export interface Gap {
  what: string;
  why: string;
}

export interface Reading {
  facts: Fact[];
  gaps: Gap[];
  /** Operations of which a success was compared. */
  operations: string[];
}

interface Operation {
  name: OperationName;
  endpoint: Endpoint;
}

/** Objects of which details are read, of one list. */
const maxDetails = 10;

const reads: readonly Operation[] = allEndpoints
  .filter(({ endpoint }) => endpoint.method === "GET")
  .map(({ group, operation, endpoint }) => ({ name: `${group}.${operation}` as OperationName, endpoint }));

/** How many operations there are to read. */
export const readOperations = reads.length;

const paramOf = ({ params }: Endpoint): string | undefined => Object.keys(params.shape)[0];

export async function readAccount(
  sender: Sender,
  onProgress: (operation: string) => void = () => {},
): Promise<Reading> {
  const reader = new Reader(sender);
  // Lists first: they have the IDs for the others.
  for (const operation of [...reads].sort(
    (a, b) => Number(paramOf(a.endpoint) !== undefined) - Number(paramOf(b.endpoint) !== undefined),
  )) {
    onProgress(operation.name);
    await reader.read(operation);
  }
  return reader.finish();
}

class Reader {
  readonly #facts: Fact[] = [];
  readonly #gaps: Gap[] = [];
  readonly #operations: string[] = [];
  readonly #errors = new Observed("errors", expectedError());
  /** Objects by the name of their ID. */
  readonly #objects = new Map<string, Readonly<Record<string, unknown>>[]>();

  constructor(readonly sender: Sender) {}

  async read(operation: Operation): Promise<void> {
    const param = paramOf(operation.endpoint);
    if (param === undefined) await this.#readSingle(operation);
    else await this.#readDetails(operation, param);
  }

  async finish(): Promise<Reading> {
    const facts = [...this.#facts, ...(await compareAll(this.sender, (reply) => this.#addError(reply)))];
    return { facts: [...facts, ...this.#errors.facts()], gaps: this.#gaps, operations: this.#operations };
  }

  async #readSingle({ name, endpoint }: Operation): Promise<void> {
    const { list, path } = endpoint;
    const reply = await this.sender.get(path);
    if (!succeeded(reply)) return this.#addRefusal(name, endpoint, reply);
    const observed = new Observed(name, expectedResponse(name, endpoint));
    observed.add(reply.body!);
    if (list !== undefined) {
      const { facts, pages, items, gaps } = await readPages(this.sender, path, name, list, reply);
      for (const page of pages) if (succeeded(page)) observed.add(page.body!);
      this.#facts.push(...facts);
      this.#gaps.push(...gaps);
      if (!this.#objects.has(list.id)) this.#objects.set(list.id, [...items]);
    }
    this.#addObserved(observed);
  }

  async #readDetails({ name, endpoint }: Operation, param: string): Promise<void> {
    const objects = this.#objects.get(param);
    const values = knownValuesOf(endpoint.params.shape[param] as never);
    if (objects === undefined && values === undefined) {
      // Of a key that may not read them: the code would be about the key.
      this.#gaps.push({ what: name, why: "the account refuses their list" });
      return;
    }
    const get = (value: string) => this.sender.get(fillPath(endpoint, { [param]: value }));
    const isNumber = param.endsWith("_id");
    this.#addMissing(name, endpoint, await get(isNumber ? "999999999" : values ? "no-such-type" : "0".repeat(32)));
    if (isNumber) this.#addFact(name, "ID that is not a number", await get("x"));
    const observed = new Observed(name, expectedResponse(name, endpoint));
    const ids = values ?? differentObjects(objects ?? []).map((item) => String(item[param]));
    let refused: Reply | undefined;
    let found = false;
    const orders = new Set<string>();
    for (const id of ids.slice(0, maxDetails)) {
      const reply = await get(id);
      if (succeeded(reply)) {
        found = true;
        observed.add(reply.body!);
        const order = orderBy("history_date", itemsOf(reply, history));
        if (order !== undefined) orders.add(order);
      } else refused = reply;
    }
    if (orders.size > 0) this.#facts.push(aspect(name, "order of envelope_history", [...orders], history.order));
    if (refused !== undefined) this.#addRefusal(name, endpoint, refused, found);
    else if (!found) this.#gaps.push({ what: name, why: "the account has no such object" });
    if (found) this.#addObserved(observed);
  }

  #addObserved(observed: Observed): void {
    this.#operations.push(observed.where);
    this.#facts.push(...observed.facts());
    for (const list of observed.emptyLists) {
      this.#gaps.push({ what: `${list}[] of ${observed.where}`, why: "no response had one" });
    }
  }

  /** A read that was refused: because a list is empty, or because this account lacks it. */
  #addRefusal(name: string, { list }: Endpoint, reply: Reply, isOfOneObject = false): void {
    this.#addError(reply);
    const [code = "", status = ""] = refusalOf(reply);
    const isEmpty = list?.emptyCode !== undefined && code === `code ${list.emptyCode}`;
    if (isEmpty) {
      if (!this.#objects.has(list.id)) this.#objects.set(list.id, []);
      this.#facts.push(aspect(name, "list without records", [code], inBoth("no records", code)));
    }
    const why = isEmpty ? "the account has no such object" : `the account refuses it: ${code}, ${status}`;
    if (!isOfOneObject) this.#gaps.push({ what: name, why });
  }

  #addMissing(name: string, { missingCode, edition }: Endpoint, reply: Reply): void {
    const codes = [`code ${missingCode}`];
    const documented = edition === undefined ? inBoth(...codes) : { [edition]: codes };
    this.#addFact(name, "object that does not exist", reply, missingCode === undefined ? {} : documented);
  }

  #addFact(name: string, what: string, reply: Reply, documented = {}): void {
    this.#addError(reply);
    if (succeeded(reply)) {
      this.#facts.push(aspect(name, what, ["success"], documented));
      return;
    }
    const [code = "", status = ""] = refusalOf(reply);
    this.#facts.push(aspect(name, what, [code], documented), aspect(name, `${what}: status`, [status]));
  }

  #addError({ body, ...reply }: Reply): void {
    if (body !== undefined && !succeeded({ body, ...reply })) this.#errors.add(body);
  }
}

/** What happened to an envelope, in its details. */
const history = { items: "envelope_history", order: { specification: ["newest first"], current: ["oldest first"] } };

/** Objects that differ in the formats of their members, or in a word such as a status: each may have a detail that the others lack. */
function differentObjects(objects: readonly Readonly<Record<string, unknown>>[]) {
  const kinds = new Map<string, Readonly<Record<string, unknown>>>();
  for (const object of objects) {
    const kind = Object.entries(object).map(([name, value]) =>
      /_(status|type)$/.test(name) ? String(value) : `${name} ${formatOf(value, false)}`,
    );
    if (!kinds.has(kind.join())) kinds.set(kind.join(), object);
  }
  const different = [...kinds.values()];
  return [...different, ...objects.filter((object) => !different.includes(object))];
}
