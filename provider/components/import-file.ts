/**
 * The file for `pulumi import --file`. The engine cannot read dynamic resources by their id, so the file holds inputs and
 * outputs of each. Which resources there are, and what they are called, is asked of the program's own component: it is run
 * against a recorder instead of an engine.
 */
import * as pulumi from "@pulumi/pulumi";
import { kindOfType } from "../../account-folder/diff/from-state";
import type { AccountModel } from "../../account-folder/model";
import { stackNameArg } from "../core/resource-definition";

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
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/**
 * Runs `program` against a recorder and writes down what it registers, with the identifiers of the account that `model` was
 * read from. No key is in it: the state gets those of sub accounts by a refresh. Rejects when the program cannot be run as it is.
 */
export async function importFile(
  project: string,
  stack: string,
  model: AccountModel,
  program: () => void,
): Promise<string> {
  const entries = new Map<string, ImportedResource>();
  const names = new Map<pulumi.Resource, string>();
  const taken = new Set<string>();
  // What fails within the SDK fails once more where nobody waits for it, and ends the process.
  const failures: unknown[] = [];
  const record = (type: string, name: string, inputs: Record<string, unknown>) => {
    const live = liveOf(type, inputs, model);
    Object.assign(entries.get(keyOf(type, name))!, { id: live.id, inputs, outputs: { ...inputs, ...live.outputs } });
    return { id: live.id, state: { ...inputs, ...live.outputs } };
  };
  const nothing = { id: "", state: {} };
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  };
  // The SDK takes a stack for each promise, which takes longer than all the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  await pulumi.runtime.setMocks(
    {
      call: () => ({}),
      newResource: ({ type, name, inputs, custom }) =>
        (custom && entries.has(keyOf(type, name)) && attempt(() => record(type, name, given(inputs)))) || nothing,
    },
    project,
    stack,
    false,
  );
  await pulumi.runtime.runInPulumiStack(async () => {
    // A mock is not told of parents; a transformation is.
    pulumi.runtime.registerStackTransformation(({ resource, type, name, opts }) => {
      const key = keyOf(type, name);
      if (entries.has(key))
        throw new Error(`two resources are called ${name}: give a webhook or a sub account another name`);
      const unique = taken.has(name) ? `${name} (${type})` : name;
      taken.add(unique);
      names.set(resource, unique);
      const parent = opts.parent && names.get(opts.parent);
      entries.set(key, {
        type,
        name: unique,
        ...(unique !== name && { logicalName: name }),
        ...(parent !== undefined && { parent }),
        ...(kindOfType(type) === undefined && { component: true }),
      });
      return undefined;
    });
    attempt(program);
  });
  // Resources are registered in the background; this waits for the last of them.
  await pulumi.runtime.disconnect();
  Error.stackTraceLimit = stackTraceLimit;
  if (failures.length > 0) throw failures[0];
  return `${JSON.stringify({ resources: [...entries.values()] }, null, 2)}\n`;
}

const keyOf = (type: string, name: string) => `${type}\n${name}`;
const given = (inputs: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(inputs).filter(([name, value]) => value !== undefined && name !== stackNameArg));

/** Identifier and outputs of the object that a resource stands for. */
function liveOf(
  type: string,
  inputs: Record<string, unknown>,
  model: AccountModel,
): { id: string; outputs: Record<string, unknown> } {
  const companyId = inputs.account as string | undefined;
  const account = companyId === undefined ? model : model.companies?.find(({ id }) => id === companyId)?.account;
  const within = (id: string) => (companyId === undefined ? id : `${companyId}/${id}`);
  switch (kindOfType(type)) {
    case "Branding":
      return {
        id: within("branding"),
        outputs: account?.branding.logoUrl === undefined ? {} : { logo: account.branding.logoUrl },
      };
    case "BrandingEmail":
      return { id: within(String(inputs.type)), outputs: {} };
    case "Webhook": {
      const found = account?.webhooks.find((webhook) => webhook.type === inputs.type && webhook.url === inputs.url);
      if (found?.id === undefined) throw new Error(`the webhook for ${inputs.type} is not among those that were read`);
      return { id: within(found.id), outputs: { webhookId: found.id } };
    }
    case "Company": {
      const found = model.companies?.find(
        ({ name, email }) => name === inputs.name && (email ?? inputs.userEmail) === (inputs.email ?? inputs.userEmail),
      );
      if (found?.id === undefined) throw new Error(`the sub account ${inputs.name} is not among those that were read`);
      return { id: found.id, outputs: { companyId: found.id } };
    }
    default:
      throw new Error(`${type} is no resource of an account`);
  }
}
