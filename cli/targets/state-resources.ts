/** The resources of a state, with their secrets opened: of a stack of this project, or of what `pulumi stack export` printed. */
import { readFileSync } from "node:fs";
import type { StateResource } from "../../account-folder/kinds/config-kind";
import { isSecret } from "../../provider/core/pulumi-values";
import { metadataKey } from "../../provider/state/metadata";
import { UsageError } from "../output/exit-codes";
import { openProject } from "../project/session";

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
      if (!isSecret(value)) return [[key, value]];
      if (typeof value.plaintext === "string") {
        const open = JSON.parse(value.plaintext) as unknown;
        if (key !== metadataKey) secrets.push(...textsIn(open));
        return [[key, open]];
      }
      const error = wrong(`its secret "${key}" is encrypted`);
      if (error) throw error;
      return [];
    }),
  );
}
