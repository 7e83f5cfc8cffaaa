/** Makes, changes and deletes one object, and leaves nothing behind: whatever is refused, lost or interrupted in between. */

import type { OperationName } from "../emulator/response-members";
import { fillPath } from "../sdk/api/endpoint";
import type { Edition } from "../sdk/edition";
import { maxLimit } from "../sdk/pagination/page-requests";
import { isOtherEncoding } from "../sdk/request/body-encoding";
import { expectedResponse } from "./expectations";
import { aspect, type Fact, inBoth } from "./fact";
import { itemsOf } from "./lists";
import { Observed } from "./member-formats";
import type { Gap, Reading } from "./read-account";
import { NoReply, type Reply, refusalOf, type Sender, succeeded } from "./sender";
import { isOfTrial, isOwn, type Trial } from "./trials";

interface TrialResult {
  facts: Fact[];
  gaps: Gap[];
  operations: string[];
  /** IDs of objects of earlier runs that were deleted. */
  removed: string[];
  /** What could not be deleted: an ID, or undefined if there may be an object of unknown ID. */
  left: { id: string | undefined }[];
}

type Step = "create" | "update" | "delete";
type Fields = Readonly<Record<string, unknown>>;

/** How often, and how far apart, the list is asked for an object that a create without a reply may have made. */
const mostReads = 3;
const readPause = 1000;
/** A list that never ends is not read for ever. */
const maxPages = 400;

/** Whether there is no such object. Another refusal, such as one of a limit, says nothing about it. */
const isGone = (reply: Reply): boolean => !succeeded(reply) && Number(reply.body?.http ?? reply.status) < 429;

export class TrialRun {
  readonly result: TrialResult = { facts: [], gaps: [], operations: [], removed: [], left: [] };
  /** Set once the ID of the object is known. */
  #id: string | undefined;
  /** Whether there may be an object. */
  #begun = false;
  #isDeleted = false;
  #step: Step = "create";
  /** The edition in whose encoding the service takes bodies. */
  #encoding: Edition | undefined;

  constructor(
    readonly sender: Sender,
    readonly trial: Trial,
    readonly edition: Edition,
    readonly pauseBetweenReads = readPause,
  ) {}

  /** What may be left if the process ends now. */
  get mayBeLeft(): boolean {
    return this.#begun && !this.#isDeleted;
  }

  async run(): Promise<TrialResult> {
    try {
      for (const id of await this.#find((object) => isOfTrial(this.trial, object))) {
        await this.#delete(id);
        this.result.removed.push(id);
      }
      if (await this.#create()) await this.#changeAndDelete();
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      if (!error.isAborted) this.#gap(this.#step, "no response");
    } finally {
      await this.#cleanUp();
    }
    return this.result;
  }

  /** False if there is nothing to go on with. */
  async #create(): Promise<boolean> {
    const { create } = this.trial.endpoints;
    this.#begun = true;
    const reply = await this.#post();
    if (reply === undefined) return false;
    if (!succeeded(reply)) {
      const [code, status] = refusalOf(reply);
      // A refusal is an answer: there is no object.
      this.#begun = reply.status >= 500 || reply.status === 408;
      this.#gap("create", `the account refuses it: ${code}, ${status}`);
      return false;
    }
    this.#observe("create", reply);
    this.#id = idOf(reply.body?.[this.trial.id]);
    if (reply.body?.test === true) {
      this.#gap("create", "a test key: its writes change nothing");
      this.#begun = false;
      return false;
    }
    const location = [reply.headers.location].flat()[0];
    const leads = location === undefined ? "none" : location.endsWith(`/${this.#id}`) ? "the object" : "another object";
    const documented = this.trial.group === "webhooks" ? { current: ["the object", "none"] } : {};
    this.#add("create", "Location", [leads], documented);
    this.#add("create", "status", [`status ${reply.status}`], inBoth(`status ${create.success}`));
    return this.#id !== undefined;
  }

  /** Sends the create once. In the other encoding a second time, if the first was refused for its own. */
  async #post(): Promise<Reply | undefined> {
    const { endpoints, fields } = this.trial;
    const other: Edition = this.edition === "current" ? "specification" : "current";
    const post = (edition: Edition) => this.sender.write("POST", endpoints.create.path, fields, edition);
    try {
      let edition = this.edition;
      let reply = await post(edition);
      if (isOtherEncoding(Number(reply.body?.code), reply.status)) {
        edition = other;
        reply = await post(edition);
      }
      const seen = edition === "current" ? "JSON" : "form fields";
      if (succeeded(reply)) this.#add("create", "body", [seen], { specification: ["form fields"], current: ["JSON"] });
      this.#encoding = edition;
      return reply;
    } catch (error) {
      if (error instanceof NoReply && !error.mayHaveSucceeded) this.#begun = false;
      throw error;
    }
  }

  async #changeAndDelete(): Promise<void> {
    const { endpoints, id, changes } = this.trial;
    const path = fillPath(endpoints.get, { [id]: this.#id });
    const read = await this.sender.get(path);
    if (succeeded(read)) this.#observe("get", read);
    this.#step = "update";
    const changed = await this.sender.write("PUT", path, changes, this.#encoding ?? this.edition);
    if (succeeded(changed)) {
      this.#observe("update", changed);
      const after = await this.sender.get(path);
      const isNew = Object.entries(changes).every(([name, value]) => after.body?.[name] === value);
      this.#add("update", "values afterwards", [isNew ? "the new values" : "other values"], inBoth("the new values"));
    } else this.#gap("update", `the account refuses it: ${refusalOf(changed).join(", ")}`);
    this.#step = "delete";
    const deleted = await this.#delete(this.#id!);
    const gone = await this.sender.get(path);
    // After a deletion whose answer was lost, the second one finds nothing.
    this.#isDeleted = isGone(gone);
    if (succeeded(deleted)) this.#observe("delete", deleted);
    else this.#gap("delete", `the account refuses it: ${refusalOf(deleted).join(", ")}`);
    const { missingCode } = endpoints.get;
    const documented = missingCode === undefined ? {} : inBoth(`code ${missingCode}`);
    if (this.#isDeleted) this.#add("get", "object that was deleted", [refusalOf(gone)[0]!], documented);
  }

  /** Deletes what there is of this run. Nothing interrupts it. */
  async #cleanUp(): Promise<void> {
    this.sender.finish();
    if (!this.mayBeLeft) return;
    try {
      for (let read = 1; read <= mostReads; read++) {
        const found = this.#id === undefined ? await this.#find((object) => isOwn(this.trial, object)) : [this.#id];
        const left: string[] = [];
        for (const id of found) if (!(await this.#deleteAndVerify(id))) left.push(id);
        if (found.length > 0 && left.length === 0) return;
        if (read < mostReads) await this.sender.pause(this.pauseBetweenReads);
        // After a create without a response, its object may still come.
        else this.result.left.push(...(found.length > 0 ? left : [undefined]).map((id) => ({ id })));
      }
    } catch {
      this.result.left.push({ id: this.#id });
    }
  }

  /** Deletes an object; whether it is gone. */
  async #deleteAndVerify(id: string): Promise<boolean> {
    await this.#delete(id);
    const { endpoints, id: name } = this.trial;
    return isGone(await this.sender.get(fillPath(endpoints.get, { [name]: id })));
  }

  #delete(id: string): Promise<Reply> {
    const { endpoints, id: name } = this.trial;
    return this.sender.write("DELETE", fillPath(endpoints.delete, { [name]: id }), {}, this.edition);
  }

  /** IDs of the objects in the whole list for which this is true. */
  async #find(matches: (object: Fields) => boolean): Promise<string[]> {
    const { list: endpoint } = this.trial.endpoints;
    const list = endpoint.list!;
    const found = new Set<string>();
    const seen = new Set<string>();
    for (let page = 0; page < maxPages; page++) {
      // Where a service counts from 1, each page begins with the last record of the one before.
      const offset = page === 0 ? "" : `offset=${seen.size}&`;
      const items = itemsOf(await this.sender.get(`${endpoint.path}?${offset}limit=${maxLimit}`), list);
      const news = items.filter((item) => !seen.has(String(item[list.id])));
      for (const item of news) {
        seen.add(String(item[list.id]));
        if (matches(item)) found.add(String(item[list.id]));
      }
      if (news.length === 0) break;
    }
    return [...found];
  }

  #observe(operation: "create" | "get" | "update" | "delete", reply: Reply): void {
    const name = this.#name(operation);
    const observed = new Observed(name, expectedResponse(name, this.trial.endpoints[operation]));
    observed.add(reply.body!);
    this.result.facts.push(...observed.facts());
    this.result.operations.push(name);
  }

  #add(operation: "create" | "get" | "update", what: string, seen: string[], documented = {}): void {
    this.result.facts.push(aspect(this.#name(operation), what, seen, documented));
  }

  #gap(operation: Step, why: string): void {
    this.result.gaps.push({ what: this.#name(operation), why });
  }

  #name(operation: string): OperationName {
    return `${this.trial.group}.${operation}` as OperationName;
  }
}

const idOf = (value: unknown): string | undefined =>
  /^[1-9]\d{0,18}$/.test(String(value)) ? String(value) : undefined;

/** Adds to a reading what it has not compared already. */
export function addTrial(reading: Reading, { facts, gaps, operations }: TrialResult): void {
  const isNew = (operation: string) => !reading.operations.includes(operation);
  const isKnown = ({ where, what }: Fact) => reading.facts.some((fact) => fact.where === where && fact.what === what);
  reading.facts.push(...facts.filter((fact) => !isKnown(fact)));
  reading.operations.push(...operations.filter(isNew));
  reading.gaps = [...reading.gaps.filter(({ what }) => !operations.includes(what)), ...gaps];
}
