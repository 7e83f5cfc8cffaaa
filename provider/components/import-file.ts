/**
 * The file for `pulumi import --file`. The engine cannot read dynamic resources by their id, so the file has inputs and
 * outputs of each; the plugin reads its own. Which resources there are, and their names, is recorded from the program's own component: it runs
 * against mocks instead of an engine.
 */
import * as pulumi from "@pulumi/pulumi";
import { kindNameOf, pluginTypeOf } from "../../account-folder/kinds/config-kind";
import type { AccountModel } from "../../account-folder/model";
import { splitInputs } from "../core/hidden-argument";
import { type Properties, withoutUndefined } from "../core/pulumi-values";
import { definitionOfType } from "../resources/index";

/** One entry of the file. */
interface ImportedResource {
  type: string;
  name: string;
  /** The name in the program, where another resource of the file has the same. */
  logicalName?: string;
  id?: string;
  /** Name of the parent in this file. */
  parent?: string;
  component?: true;
  /** Of the plugin that reads it. */
  version?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/**
 * Runs `program` against mocks and records what it registers, with the identifiers of the account that `model` was read
 * from. No key is in it: the state gets those of subaccounts by a refresh. `plugin`: the version of the plugin whose resources they are
 * to be; undefined for dynamic ones. Rejects if the program fails.
 */
export async function importFile(
  project: string,
  stack: string,
  model: AccountModel,
  program: () => void,
  plugin: string | undefined,
): Promise<string> {
  const recorder = new Recorder(model);
  // The SDK takes a stack for each promise, which takes longer than all the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  await pulumi.runtime.setMocks(
    { call: () => ({}), newResource: (args) => recorder.create(args) },
    project,
    stack,
    false,
  );
  await pulumi.runtime.runInPulumiStack(async () => {
    // A mock does not see parents; a transformation does.
    pulumi.runtime.registerStackTransformation((args) => {
      recorder.register(args);
      return undefined;
    });
    recorder.attempt(program);
  });
  // Resources are registered in the background; this waits for the last of them.
  await pulumi.runtime.disconnect();
  Error.stackTraceLimit = stackTraceLimit;
  return recorder.result(plugin);
}

class Recorder {
  readonly #entries = new Map<string, ImportedResource>();
  readonly #names = new Map<pulumi.Resource, string>();
  readonly #taken = new Set<string>();
  /** An error inside the SDK is thrown once more where nothing handles it, and would end the process. */
  readonly #errors: unknown[] = [];

  constructor(readonly model: AccountModel) {}

  /** Records a resource with its name and parent. */
  register({ resource, type, name, opts }: pulumi.ResourceTransformationArgs): void {
    const key = keyOf(type, name);
    if (this.#entries.has(key)) {
      throw new Error(`two resources are called ${name}: rename a webhook or a subaccount`);
    }
    const unique = this.#taken.has(name) ? `${name} (${type})` : name;
    this.#taken.add(unique);
    this.#names.set(resource, unique);
    const parent = opts.parent && this.#names.get(opts.parent);
    this.#entries.set(key, {
      type,
      name: unique,
      ...(unique !== name && { logicalName: name }),
      ...(parent !== undefined && { parent }),
      ...(kindNameOf(type) === undefined && { component: true }),
    });
  }

  /** Records the inputs, id and outputs of a resource. */
  create({ type, name, inputs, custom }: pulumi.runtime.MockResourceArgs): { id: string; state: Properties } {
    const entry = custom ? this.#entries.get(keyOf(type, name)) : undefined;
    const created =
      entry &&
      this.attempt(() => {
        const args = withoutUndefined(splitInputs(inputs).inputs);
        const { id, outputs } = this.#locate(type, args);
        const state = { ...args, ...outputs };
        Object.assign(entry, { id, inputs: args, outputs: state });
        return { id, state };
      });
    return created ?? { id: "", state: {} };
  }

  attempt<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.#errors.push(error);
      return undefined;
    }
  }

  result(plugin: string | undefined): string {
    if (this.#errors.length > 0) throw this.#errors[0];
    const dynamic = [...this.#entries.values()];
    const resources = plugin === undefined ? dynamic : dynamic.map((entry) => readBy(plugin, entry));
    return `${JSON.stringify({ resources }, null, 2)}\n`;
  }

  /** Id and outputs of the object that a resource declares. */
  #locate(type: string, args: Properties): { id: string; outputs: Properties } {
    const definition = definitionOfType(type);
    if (definition === undefined) throw new Error(`${type} is not a resource of an account`);
    const companyId = args.account as string | undefined;
    const account =
      companyId === undefined ? this.model : this.model.companies?.find(({ id }) => id === companyId)?.account;
    const location = account && definition.locate(args, account);
    if (location === undefined) throw new Error(`${definition.kind} ${args.type ?? args.name ?? ""} was not read`);
    const { key, outputs } = location;
    return { id: companyId === undefined ? key : `${companyId}/${key}`, outputs };
  }
}

/** An entry for the plugin, which needs the id alone. */
function readBy(version: string, { inputs: _inputs, outputs: _outputs, ...entry }: ImportedResource): ImportedResource {
  const kind = kindNameOf(entry.type);
  return kind === undefined ? entry : { ...entry, type: pluginTypeOf(kind), version };
}

const keyOf = (type: string, name: string) => `${type}\n${name}`;
