/** The options of the operations on a stack, and what the built-in engine gets of them. */
import type { RunOptions } from "../../engine/index";
import type { Metadata } from "../../provider/state/metadata";
import type { StackSelection } from "../project/open-project";

export type DeployVerb = "up" | "preview" | "refresh" | "destroy";

/** Options that the engine knows by the same names. */
const engineOptions = [
  "parallel",
  "refresh",
  "runProgram",
  "clearPendingCreates",
  "continueOnError",
  "targetDependents",
  "excludeDependents",
  "excludeProtected",
  "message",
  "typeCheck",
  "showSecrets",
] as const satisfies readonly (keyof RunOptions)[];

export interface DeployOptions extends StackSelection, Pick<RunOptions, (typeof engineOptions)[number]> {
  yes?: boolean;
  expectNoChanges?: boolean;
  skipPreview?: boolean;
  previewOnly?: boolean;
  diff?: boolean;
  expectNoWrites?: boolean;
  offline?: boolean;
  json?: boolean;
  /** `key=value` for the stack's configuration. */
  config?: string[];
  target?: string[];
  exclude?: string[];
  replace?: string[];
  targetReplace?: string[];
  showSames?: boolean;
  local?: boolean;
  quickstart?: boolean;
  policyPack?: string[];
  policyPackConfig?: string[];
  /** A version of the history, or the deployment before the last update. */
  rollback?: number | "previous";
  plan?: string;
  savePlan?: string;
}

/** Of the hidden output, what messages show: the fingerprint of the key that created an object, and the service's address. */
const shownMetadata = ["keyFingerprint", "address"] as const satisfies readonly (keyof Metadata)[];

export const isPreviewOnly = (verb: DeployVerb, { previewOnly }: DeployOptions): boolean =>
  verb === "preview" || previewOnly === true;

export function runOptions(options: DeployOptions): RunOptions {
  const { target = [], exclude, replace = [], targetReplace = [], policyPack = [], policyPackConfig = [] } = options;
  const [targets, replaces] = [
    [...target, ...targetReplace],
    [...replace, ...targetReplace],
  ];
  return {
    ...Object.fromEntries(
      engineOptions.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
    ),
    ...(targets.length > 0 && { targets }),
    ...(replaces.length > 0 && { replaces }),
    ...(exclude !== undefined && { excludes: exclude }),
    ...(policyPack.length > 0 && {
      policyPacks: policyPack.map((directory, i) => ({
        directory,
        ...(policyPackConfig[i] && { configFile: policyPackConfig[i] }),
      })),
    }),
    plaintextOutputs: shownMetadata.map((name) => `__esign.${name}`),
  };
}
