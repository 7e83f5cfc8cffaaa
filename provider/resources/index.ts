/** The registry of the resources: what iterates over all of them imports this. */
import { kindNameOf } from "../../definitions/kind";
import type { ResourceKind } from "../../definitions/model";
import type { ResourceDefinition } from "../core/resource-definition";
import { branding } from "./branding";
import { brandingEmail } from "./branding-email";
import { company } from "./company";
import { contact } from "./contact";
import { settings } from "./settings";
import { user } from "./user";
import { webhook } from "./webhook";

/** Every resource, by the permanent name of its handler. Each is a kind of an account's folder, too: `drift` and `export` have all of them. */
export const definitions: Readonly<Record<HandlerName, ResourceDefinition>> = {
  branding,
  brandingEmail,
  webhook,
  company,
  contact,
  user,
  settings,
};

export type HandlerName = Uncapitalize<ResourceKind>;

/** The handler of the resources of a kind. */
export const handlerOf = (kind: ResourceDefinition["kind"]): HandlerName =>
  (Object.keys(definitions) as HandlerName[]).find((handler) => definitions[handler].kind === kind)!;

export const allDefinitions: readonly ResourceDefinition[] = Object.values(definitions);

/** The definition of the resources of a type of the engine, in either form; undefined for another provider's. */
export const definitionOfType = (type: string): ResourceDefinition | undefined =>
  allDefinitions.find(({ kind }) => kind === kindNameOf(type));
