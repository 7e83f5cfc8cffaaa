/** Compares an account with what was deployed to it, by the rules of a refresh. */

import type { FieldChange, ResourceChange } from "../../../account-folder/diff/comparison";
import { stateModel } from "../../../account-folder/diff/from-state";
import { mapConcurrently } from "../../../account-folder/map-concurrently";
import { companyName } from "../../../definitions/company";
import { kindOfType } from "../../../definitions/index";
import { type Properties, unwrapAll } from "../../../provider/core/pulumi-values";
import {
  fieldsIn,
  flatten,
  isCopied,
  onlyAtCreation,
  type ResourceDefinition,
} from "../../../provider/core/resource-definition";
import { createHandlers } from "../../../provider/hooks";
import { definitions, handlerOf } from "../../../provider/resources/index";
import type { Configuration } from "../../../provider/session/provider-config";
import { Session } from "../../../provider/session/session";
import { decodeMetadata } from "../../../provider/state/metadata";
import { errorColours, note } from "../../output/terminal";
import type { DeployedResource } from "../../references/state-resources";

/** Resources read at the same time; what is read of one account is shared, and requests are bounded besides. */
const AT_ONCE = 16;

/** How one resource has drifted. */
export interface DriftedResource extends ResourceChange {
  urn: string;
  /** What tells live values apart, by field, where the values do not: the address of a picture may be another one at each read. */
  identities?: Readonly<Record<string, string>>;
}

type Subject = Omit<ResourceChange, "action" | "fields">;

/** The resources of this package that exist, as people call them, by URN. */
export function subjectsOf(resources: readonly DeployedResource[]): Map<string, Subject> {
  const companies = new Map((stateModel(resources).Company ?? []).map((each) => [each.id, companyName(each)]));
  return new Map(
    resources.flatMap((resource): [string, Subject][] => {
      const kind = kindOfType(resource.type);
      if (kind === undefined || resource.id === undefined) return [];
      const account = resource.inputs.account as string | undefined;
      const name = kind.nameOf(kind.fromState(resource));
      const subject: Subject = {
        kind: kind.kind,
        ...(name !== undefined && { name }),
        ...(account !== undefined && { company: companies.get(account) ?? account }),
        id: resource.id,
      };
      return [[resource.urn, subject]];
    }),
  );
}

/** How the account departs from what was deployed, and what was not compared. Asks the handlers that a refresh asks. */
export async function driftOf(
  resources: readonly DeployedResource[],
  config: Configuration,
): Promise<{ changes: DriftedResource[]; notes: string[] }> {
  const session = new Session({ log: (notice) => note(errorColours.dim(notice)), hasCurrentConfiguration: true });
  const handlers = createHandlers(session);
  session.connection.configure(config);
  const subjects = subjectsOf(resources);
  const ours = resources.filter(({ urn }) => subjects.has(urn));
  const changes = await mapConcurrently(ours, AT_ONCE, async ({ urn, inputs, outputs }) => {
    const subject = subjects.get(urn)!;
    const handler = handlerOf(subject.kind);
    const live = await handlers[handler].read(subject.id!, outputs);
    const definition = definitions[handler];
    const [declared, now] = [flatten(definition, inputs), flatten(definition, live.inputs ?? {})];
    if (!live.id) return { ...subject, urn, action: "remove" as const, fields: [] };
    const problems = Object.keys(definition.problems ?? {});
    const fields = [
      ...fieldsIn(definition, declared).flatMap((field) => fieldChange(field, declared[field], now[field])),
      ...problems.flatMap((field) => problemOf(field, live.props?.[field])),
    ];
    const identities = displayedCopies(definition, live.props ?? {});
    return fields.length > 0 ? { ...subject, urn, action: "change" as const, fields, identities } : undefined;
  });
  const hasPictures = ours.some(({ urn, inputs }) => {
    const definition = definitions[handlerOf(subjects.get(urn)!.kind)];
    return Object.keys(flatten(definition, inputs)).some((field) => inputs[field] && isCopied(definition, field));
  });
  return {
    changes: changes.filter((change) => change !== undefined),
    notes:
      hasPictures && !session.connection.pictures.isOn
        ? ["logos were not compared: esign:comparePictures is false"]
        : [],
  };
}

/** What identifies the copies of files that have drifted. */
function displayedCopies(definition: ResourceDefinition, props: Properties): Record<string, string> {
  const { fields = {} } = decodeMetadata(definition, flatten(definition, unwrapAll(props)));
  const displayed = Object.entries(fields).map(([field, { displayedCopy }]) => [field, displayedCopy] as const);
  return Object.fromEntries(displayed.filter((each): each is [string, string] => each[1] !== undefined));
}

/** What only the creation of an object returns, where other resources have it: it was lost, or the object adopted. */
export function missingOutputs(resources: readonly DeployedResource[]): string[] {
  const ours = resources.filter(({ type, id }) => kindOfType(type) !== undefined && id !== undefined);
  return ours.flatMap((resource) => {
    const names = definitions[handlerOf(kindOfType(resource.type)!.kind)].returnedOnce ?? [];
    const isMissing = (name: string) =>
      resource.outputs[name] === undefined && ours.some(({ type, outputs }) => type === resource.type && outputs[name]);
    return names.filter(isMissing).map((name) => `${resource.name} has no ${name}: ${onlyAtCreation}`);
  });
}

/** Shown as long as it lasts, whether a refresh has recorded it or not. */
const problemOf = (field: string, value: unknown): FieldChange[] =>
  value === undefined ? [] : [{ field, after: String(value) }];

function fieldChange(field: string, before: unknown, after: unknown): FieldChange[] {
  if (before === undefined || before === after) return [];
  return [{ field, before: String(before), ...(after !== undefined && { after: String(after) }) }];
}
