/**
 * The file for `pulumi import --file`. Which resources there are, and their names and parents, is recorded from the component that the
 * program declares; IDs are those of the account that was read. The plugin reads its resources by their IDs. The engine cannot read
 * dynamic ones, so of these the file has inputs and outputs, too.
 */

import { kinds } from "../../definitions/index";
import { dynamicTypeOf, type KindDefinition, pluginTypeOf } from "../../definitions/kind";
import type { AccountModel, Fields, ResourceKind } from "../../definitions/model";
import { joinId } from "../../definitions/object-id";
import { errorMessage } from "../core/error-codes";
import { providerText } from "../core/provider-text";
import { type Properties, withoutUndefined } from "../core/pulumi-values";
import { isSingleton, type ResourceDefinition } from "../core/resource-definition";
import { definitionServed } from "../protocol/tokens";
import type { AccountConfigArgs } from "./component-arguments";
import { accountConfigType, prepareAccountConfig } from "./declare-account";
import { declareFolder } from "./declare-folder";
import { declareSubAccount, subAccountType } from "./declare-subaccount";
import type { Declarer, Surroundings } from "./declarer";

/** One entry of the file. */
interface ImportedResource {
  type: string;
  name: string;
  /** The name in the program, where another resource of the file has the same. */
  logicalName?: string;
  /** Name of the parent in this file. */
  parent?: string;
  component?: true;
  id?: string;
  /** Of the plugin that reads it. */
  version?: string;
  inputs?: Properties;
  outputs?: Properties;
}

export interface ImportOptions {
  project: string;
  stack: string;
  /** The project's folder, absolute. */
  directory: string;
  /** Name of the component in the program. */
  component: string;
  args: AccountConfigArgs;
  /** The version of the plugin whose resources they are to be; undefined for dynamic ones. */
  plugin: string | undefined;
}

/**
 * The file's text for an `AccountConfig`, with the identifiers of the account that `model` was read from. No key is in it: the state gets
 * those of subaccounts by a refresh. @throws if a program with these arguments fails
 */
export function importFile(model: AccountModel, options: ImportOptions): string {
  const { component: name, args } = options;
  const surroundings = surroundingsOf(options);
  const { folder, values, companies } = prepareAccountConfig(surroundings, name, args);
  const recorder = new Recorder(model, options.plugin);
  const declarerIn = (parent: string): Declarer<RecordedObject> => ({
    ...surroundings,
    resource: (kind, resource, inputs) => recorder.addResource(kind, resource, inputs, parent),
  });
  const own = recorder.addComponent(accountConfigType, name);
  declareFolder(declarerIn(own), name, folder, values, args, args.account);
  for (const { name: company, prepared } of companies)
    declareSubAccount(declarerIn(recorder.addComponent(subAccountType, company, own)), company, {}, prepared);
  return recorder.text();
}

/** Where all values are known, and none is configured. */
const surroundingsOf = ({ project, stack, directory }: ImportOptions): Surroundings => ({
  project,
  stack,
  directory,
  rootDirectory: directory,
  config: () => undefined,
  isSecretConfig: () => false,
  warn: () => undefined,
  fail(code, subject, problem, fix) {
    throw new Error(`${subject}: ${errorMessage(code, problem, fix)}`);
  },
  secret: (text) => text,
  combine: (values, make) => make(values),
});

/** A resource, as what else is in it refers to it. */
class RecordedObject {
  constructor(readonly id: string) {}
}

class Recorder {
  readonly #entries = new Map<string, ImportedResource>();
  readonly #taken = new Set<string>();

  readonly #model: AccountModel;
  readonly #plugin: string | undefined;

  constructor(model: AccountModel, plugin: string | undefined) {
    this.#model = model;
    this.#plugin = plugin;
  }

  /** Returns its name in the file. */
  addComponent(type: string, name: string, parent?: string): string {
    return this.#add(type, name, parent, { component: true });
  }

  addResource(kind: ResourceKind, name: string, args: Properties, parent: string): RecordedObject {
    const definition = definitionServed(pluginTypeOf(kind));
    const { account } = args;
    const inputs = withoutUndefined({ ...args, account: account instanceof RecordedObject ? account.id : account });
    const { id, outputs } = this.#locate(definition, inputs);
    if (this.#plugin !== undefined) {
      this.#add(pluginTypeOf(kind), name, parent, { id, version: this.#plugin });
    } else {
      const all = sorted({ ...inputs, __provider: providerText(definition.handler) });
      this.#add(dynamicTypeOf(kind), name, parent, { id, inputs: all, outputs: { ...all, ...outputs } });
    }
    return new RecordedObject(id);
  }

  text(): string {
    return `${JSON.stringify({ resources: [...this.#entries.values()] }, null, 2)}\n`;
  }

  /** Records a resource with a name that no other has; returns that. */
  #add(type: string, name: string, parent: string | undefined, rest: Partial<ImportedResource>): string {
    const key = `${type}\n${name}`;
    if (this.#entries.has(key)) throw new Error(`two resources are called ${name}: rename a webhook or a subaccount`);
    const unique = this.#taken.has(name) ? `${name} (${type.slice(type.lastIndexOf(":") + 1)})` : name;
    this.#taken.add(unique);
    const isRenamed = unique !== name;
    this.#entries.set(key, {
      type,
      name: unique,
      ...(isRenamed && { logicalName: name }),
      ...(parent !== undefined && { parent }),
      ...rest,
    });
    return unique;
  }

  /** Id and outputs of the object that a resource declares. */
  #locate(definition: ResourceDefinition, args: Properties): { id: string; outputs: Properties } {
    const companyId = args.account as string | undefined;
    const account =
      companyId === undefined ? this.#model : this.#model.Company?.find(({ id }) => id === companyId)?.account;
    const kind = kinds[definition.kind];
    const identity = kind.identity({ fields: args as Fields });
    const item = account && kind.items(account).find((each) => kind.identity(each) === identity);
    const key = isSingleton(definition) ? definition.key(undefined, args) : item?.id;
    if (account === undefined || key === undefined)
      throw new Error(`${definition.kind} ${args.type ?? args.name ?? ""} was not read`);
    const { keyOutput } = definition;
    const outputs = keyOutput === undefined ? copiesIn(kind, item?.fields) : { [keyOutput]: key };
    return { id: joinId({ companyId, key }), outputs };
  }
}

/** The addresses of copies that the service has made, by output. */
const copiesIn = (kind: KindDefinition, fields: Fields = {}): Properties =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const output = kind.fields[name]?.copiedTo;
      return output !== undefined && value ? [[output, value]] : [];
    }),
  );

/** In an order that does not depend on how the arguments are made. */
const sorted = (values: Properties): Properties =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
