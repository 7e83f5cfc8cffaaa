/** Compares an account with what was deployed to it, by the rules of a refresh. */
import type { FieldChange, ResourceChange } from "../../../account-folder/diff/comparison";
import { stateModel } from "../../../account-folder/diff/from-state";
import { kindOfType } from "../../../account-folder/kinds/index";
import { fieldsIn, flatten, onlyAtCreation } from "../../../provider/core/resource-definition";
import { createHandlers } from "../../../provider/hooks";
import { definitionOf, handlerOf } from "../../../provider/resources/index";
import { Session } from "../../../provider/session/session";
import type { Configuration } from "../../../provider/session/settings";
import { errorColours, note } from "../../output/terminal";
import type { DeployedResource } from "../../targets/state-resources";

/** Resources read at the same time; what hooks of one account read is shared, and requests are bounded besides. */
const AT_ONCE = 16;

/** How one resource has drifted. */
export interface DriftedResource extends ResourceChange {
  urn: string;
}

type Subject = Omit<ResourceChange, "action" | "fields">;

/** The resources of this package that exist, as people call them, by URN. */
export function subjectsOf(resources: readonly DeployedResource[]): Map<string, Subject> {
  const companies = new Map((stateModel(resources).companies ?? []).map((company) => [company.id, company.name]));
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

/** How the account departs from what was deployed. Asks the handlers that a refresh asks. */
export async function driftOf(
  resources: readonly DeployedResource[],
  config: Configuration,
): Promise<DriftedResource[]> {
  const session = new Session({ log: (notice) => note(errorColours.dim(notice)) });
  const handlers = createHandlers(session);
  session.configure(config);
  const subjects = subjectsOf(resources);
  const ours = resources.filter(({ urn }) => subjects.has(urn));
  const changes: (DriftedResource | undefined)[] = [];
  const rest = [...ours.entries()];
  const work = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      const [index, { urn, inputs, outputs }] = next;
      const subject = subjects.get(urn)!;
      const handler = handlerOf(subject.kind);
      const live = await handlers[handler].read(subject.id!, outputs);
      const definition = definitionOf(handler);
      const [declared, now] = [flatten(definition, inputs), flatten(definition, live.inputs ?? {})];
      if (!live.id) changes[index] = { ...subject, urn, action: "remove", fields: [] };
      else {
        const problems = Object.keys(definition.problems ?? {});
        const fields = [
          ...fieldsIn(definition, declared).flatMap((field) => fieldChange(field, declared[field], now[field])),
          ...problems.flatMap((field) => problemOf(field, live.props?.[field])),
        ];
        if (fields.length > 0) changes[index] = { ...subject, urn, action: "change", fields };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return changes.filter((change) => change !== undefined);
}

/** What only the creation of an object returns, where other resources have it: it was lost, or the object adopted. */
export function missingOutputs(resources: readonly DeployedResource[]): string[] {
  const ours = resources.filter(({ type, id }) => kindOfType(type) !== undefined && id !== undefined);
  return ours.flatMap((resource) => {
    const names = definitionOf(handlerOf(kindOfType(resource.type)!.kind)).returnedOnce ?? [];
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
