/** References to an account, a folder or a stack, such as `account:production`: see `esign help references`. */
import { existsSync, readFileSync, statSync } from "node:fs";
import type { CompanyFilter } from "../../account-folder/company-filter";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { type FolderSource, folderSource } from "../../account-folder/diff/from-folder";
import { readAccount } from "../../account-folder/diff/from-service";
import { stackSource } from "../../account-folder/diff/from-state";
import type { ConfigKind, StateResource } from "../../account-folder/kinds/config-kind";
import { type AccountModel, emptyAccount } from "../../account-folder/model";
import { metadataKey } from "../../provider/state/metadata";
import type { Client } from "../../sdk";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { UsageError } from "../output/exit-codes";
import { openProject } from "../project/session";
import { openProfile } from "./account-profile";
import { type Connection, openConnection } from "./connect";
import { environmentValues, type FolderValues, folderValues } from "./stack-values";

export type Target =
  | { kind: "account"; text: string; profile?: string; company?: string }
  | { kind: "folder"; text: string; path: string; stack?: string }
  | { kind: "stack"; text: string; stack: string }
  | { kind: "state"; text: string; path: string };

/** Reads a name; nothing is opened. */
export function parseTarget(text: string): Target {
  const account = /^account(?::([\w.-]+))?(?:\/(.+))?$/.exec(text);
  if (account) {
    const [, profile, company] = account;
    return { kind: "account", text, ...(profile && { profile }), ...(company && { company }) };
  }
  const stack = /^stack:([\w.-]+)$/.exec(text)?.[1];
  if (stack) return { kind: "stack", text, stack };
  if (text.endsWith(".json") && isFile(text)) return { kind: "state", text, path: text };
  if (isDirectory(text)) return { kind: "folder", text, path: text };
  const [, path, values] = /^(.+)@([\w.-]+)$/.exec(text) ?? [];
  if (path && values && isDirectory(path)) return { kind: "folder", text, path, stack: values };
  const near = closeMatch(text.replace(/[:/].*$/, ""), ["account", "stack"]);
  const hint =
    near === undefined
      ? ""
      : ` Did you mean "${near}${near === "stack" ? ":<name>" : (/[:/].*$/.exec(text)?.[0] ?? "")}"?`;
  throw new UsageError(
    `"${text}" is not an account, a stack or an existing folder.${hint} See "esign help references".`,
  );
}

/** Opens an account by its name. */
export function openAccount({ profile, company }: Target & { kind: "account" }): Promise<Connection> {
  const account = company === undefined ? {} : { company };
  return profile === undefined ? openConnection(account) : openProfile(profile, account);
}

/** A side with what is needed besides: its client, and texts that must not be shown. */
export interface OpenTarget {
  side: ConfigSource;
  /** Set for an account. */
  client?: Client;
  /** Set for a folder. */
  folder?: FolderSource;
  /** ID of the subaccount, if the account is one. */
  company?: string;
  /** Secret texts: they are compared, but not printed. */
  secrets: string[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Which subaccounts to read (all). */
  companies?: CompanyFilter;
  /** Kinds to read of those that are read on request (none). */
  include?: readonly ConfigKind[];
  /** Values of the environment on the other side. */
  otherValues?: FolderValues;
}

/** Opens a side and reads it. */
export async function openTarget(named: Target, options: OpenOptions = {}): Promise<OpenTarget> {
  const nothing = { secrets: [], close: async () => undefined };
  switch (named.kind) {
    case "account": {
      const connection = await openAccount(named);
      try {
        const { client } = connection;
        const model = await readAccount(client, {
          ...(options.companies && { companies: options.companies }),
          ...(options.include && { include: options.include }),
        });
        const environment = environmentOf(named);
        const side: ConfigSource = {
          model,
          label: named.text,
          isAuthoritative: true,
          ...(environment !== undefined && { environment }),
        };
        const { company } = connection;
        return { ...nothing, side, client, ...(company !== undefined && { company }), close: () => connection.close() };
      } catch (error) {
        await connection.close();
        throw error;
      }
    }
    case "folder": {
      const given = named.stack === undefined ? undefined : await folderValues(named.path, named.stack);
      const folder = folderSource(named.path, {
        label: named.text,
        ...(given && { values: given.values, environment: named.stack! }),
        ...(options.otherValues && { otherValues: options.otherValues.values }),
      });
      const secrets = [...(given?.secrets ?? []), ...(options.otherValues?.secrets ?? [])];
      return { ...nothing, side: folder, folder, secrets };
    }
    case "stack": {
      const { resources, secrets } = await stackResources(named.stack);
      return { ...nothing, side: stackSource(resources, named.text, named.stack), secrets };
    }
    case "state": {
      const { resources, stack, secrets } = exportedResources(named.path);
      return { ...nothing, side: stackSource(resources, named.text, stack), secrets };
    }
  }
}

/**
 * What a stack has in the subaccount that the other side is: an account, or the code of a subaccount's own project, which
 * does not mention its partner. A stack without companies was deployed with the subaccount's own key.
 */
export function scopedTo(other: Pick<OpenTarget, "side" | "company">, { side, folder }: OpenTarget): ConfigSource {
  const { companies = [] } = side.model;
  if (side.isAuthoritative || folder !== undefined || companies.length === 0) return side;
  const { model, isAuthoritative } = other.side;
  const isOfOne = !isAuthoritative && (!model.companies || soleIn(model) !== undefined);
  const ofOne = isOfOne ? soleIn(side.model)?.account : undefined;
  const account =
    other.company === undefined ? ofOne : (companies.find(({ id }) => id === other.company)?.account ?? emptyAccount());
  return account === undefined ? side : { ...side, model: account };
}

/** The subaccount that contains everything a stack has. */
function soleIn({ companies: [company, ...more] = [], ...own }: AccountModel) {
  const isAll = more.length === 0 && Object.values(own).every((part) => Object.keys(part).length === 0);
  return isAll && company?.isStub ? company : undefined;
}

/** Which environment an account is: only one that was named is known to be this one or another. */
function environmentOf({ profile, company }: Target & { kind: "account" }): string | undefined {
  if (company !== undefined) return `${profile ?? ""}/${company}`;
  return profile;
}

/** The values of the environment that a name speaks of, for recognising them in its texts. */
export async function valuesOf(named: Target, folder: string): Promise<FolderValues | undefined> {
  const stack =
    named.kind === "folder" || named.kind === "stack"
      ? named.stack
      : named.kind === "account"
        ? named.profile
        : undefined;
  if (stack === undefined) return undefined;
  try {
    return await folderValues(folder, stack);
  } catch (error) {
    // An account may well be named after no stack of the project.
    const { code } = error as { code?: string };
    if (named.kind === "account" && (code === "no-stack" || code === "not-found")) return undefined;
    throw error;
  }
}

/** A stack, or the account of one, with the values of its environment. */
export async function withEnvironmentValues(named: Target, open: OpenTarget): Promise<OpenTarget> {
  const stack = named.kind === "stack" ? named.stack : named.kind === "account" ? named.profile : undefined;
  if (stack === undefined) return open;
  const known = await environmentValues(stack).catch((error) => {
    if (named.kind === "stack") throw error;
    // An account may well be named after no stack, and needs no passphrase.
    return { values: {}, secrets: [] };
  });
  return {
    ...open,
    side: { ...open.side, environmentValues: known.values },
    secrets: [...open.secrets, ...known.secrets],
  };
}

/** A resource in a state. */
export interface DeployedResource extends StateResource {
  urn: string;
}

/** The resources of a stack, and those texts in them that are secret. */
export async function stackResources(name: string): Promise<{ resources: DeployedResource[]; secrets: string[] }> {
  const stack = await (await openProject()).openStack(name);
  const [open, safe] = [await stack.resources({ showSecrets: true }), await stack.resources()];
  const resources = open.filter((resource) => resource.custom && !resource.delete);
  return { resources, secrets: secretTexts(open, safe) };
}

/** The texts of one value that the other shows as `[secret]`; bookkeeping excluded. */
function secretTexts(open: unknown, safe: unknown): string[] {
  if (safe === "[secret]") return textsIn(open);
  if (open === null || typeof open !== "object" || safe === null || typeof safe !== "object") return [];
  return Object.entries(open).flatMap(([key, value]) =>
    key === metadataKey ? [] : secretTexts(value, (safe as Record<string, unknown>)[key]),
  );
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : value !== null && typeof value === "object"
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The resources in the output of `pulumi stack export`, and those texts in them that are secret. */
export function exportedResources(path: string): { resources: DeployedResource[]; stack: string; secrets: string[] } {
  const wrong = (what: string) =>
    new UsageError(
      `${path === "-" ? "standard input" : path} is not the output of "pulumi stack export": ${what}. Use: pulumi stack export --show-secrets | esign … --state -`,
    );
  let text: string;
  try {
    // From a pipe, no decrypted state is ever on a disk.
    text = readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw wrong(`it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let content: { deployment?: { resources?: ExportedResource[] } } | null;
  try {
    content = JSON.parse(text) as typeof content;
  } catch {
    throw wrong("it is not JSON");
  }
  const list = content?.deployment?.resources;
  if (!Array.isArray(list) || list.some((resource) => typeof resource?.urn !== "string"))
    throw wrong("it has no resources");
  const custom = list.filter((resource) => resource.custom === true && resource.delete !== true);
  const secrets: string[] = [];
  return {
    secrets,
    resources: custom.map(({ urn, type, id, parent, inputs, outputs }) => ({
      urn,
      type,
      name: urn.slice(urn.lastIndexOf("::") + 2),
      ...(parent !== undefined && { parent }),
      ...(id !== undefined && { id }),
      inputs: opened(inputs ?? {}, secrets, wrong),
      outputs: opened(outputs ?? {}, secrets, () => undefined),
    })),
    stack: list[0]?.urn.split("::")[0]?.replace("urn:pulumi:", "") ?? "",
  };
}

interface ExportedResource {
  urn: string;
  type: string;
  custom?: boolean;
  delete?: boolean;
  parent?: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/** Properties with their secrets opened, as far as the file has them in clear; their texts are added to `secrets`. */
function opened(
  properties: Record<string, unknown>,
  secrets: string[],
  wrong: (what: string) => Error | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]) => {
      const secret = value as { "4dabf18193072939515e22adb298388d"?: string; plaintext?: string } | null;
      if (secret === null || typeof secret !== "object" || !secret["4dabf18193072939515e22adb298388d"])
        return [[key, value]];
      if (typeof secret.plaintext === "string") {
        const open = JSON.parse(secret.plaintext) as unknown;
        if (key !== metadataKey) secrets.push(...textsIn(open));
        return [[key, open]];
      }
      const error = wrong(`its secret "${key}" is encrypted`);
      if (error) throw error;
      return [];
    }),
  );
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();
const isDirectory = (path: string) => existsSync(path) && statSync(path).isDirectory();
