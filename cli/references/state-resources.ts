/** The resources of a state, with their secrets opened: of a stack of this project, or of what `pulumi stack export` printed. */
import { readFileSync } from "node:fs";
import type { StateResource } from "../../definitions/kind";
import { readUrn } from "../../definitions/urn";
import type { ResourceView } from "../../engine/index";
import { parseJsonText } from "../../fs/json-text";
import { metadataKey } from "../../provider/state/metadata";
import { type ExportedResource, viewOf } from "../engine/pulumi-state";
import { hasClosedSecret } from "../engine/pulumi-values";
import { UsageError } from "../output/errors";
import { openProject } from "../project/open-project";

/** A resource in a state. */
export interface DeployedResource extends StateResource {
  urn: string;
}

/** The resources, and those texts in them that are secret. */
interface OpenedState {
  resources: DeployedResource[];
  secrets: string[];
}

export async function stackResources(name: string): Promise<OpenedState> {
  const stack = await (await openProject()).openStack(name);
  return opened(await stack.resources({ showSecrets: true }), await stack.resources());
}

const opened = (open: ResourceView[], safe: ResourceView[]): OpenedState => ({
  resources: open.filter((resource) => resource.custom && !resource.delete),
  secrets: secretTexts(open, safe),
});

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

/** Of the output of `pulumi stack export`. */
export function exportedResources(path: string): OpenedState & { stack: string } {
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
    content = parseJsonText(text) as typeof content;
  } catch {
    throw wrong("it is not JSON");
  }
  const list = content?.deployment?.resources;
  if (!Array.isArray(list) || list.some((resource) => typeof resource?.urn !== "string"))
    throw wrong("it has no resources");
  const encrypted = list
    .filter((resource) => resource.custom === true && resource.delete !== true)
    .flatMap(({ inputs = {} }) => Object.keys(inputs).filter((key) => hasClosedSecret(inputs[key])))[0];
  if (encrypted !== undefined) throw wrong(`its secret "${encrypted}" is encrypted`);
  return {
    ...opened(
      list.map((resource) => viewOf(resource, true)),
      list.map((resource) => viewOf(resource, false)),
    ),
    stack: readUrn(list[0]?.urn ?? "")?.stack ?? "",
  };
}
