/** The file that makes a folder a plugin or a policy pack: PulumiPlugin.yaml, PulumiPolicy.yaml. */
import { parse } from "yaml";
import { describeYamlProblem } from "../../fs/yaml-problem";
import { EngineError } from "../errors";

interface PluginSettings {
  /** What runs it, such as `nodejs`. */
  runtime: string | undefined;
  version: unknown;
}

/** @throws EngineError if the text is not valid YAML */
export function parsePluginSettings(text: string, file: string): PluginSettings {
  try {
    const { runtime, version } = (parse(text) ?? {}) as { runtime?: string | { name?: string }; version?: unknown };
    return { runtime: typeof runtime === "object" ? runtime?.name : runtime, version };
  } catch (error) {
    throw new EngineError(
      `${file} is not valid YAML: ${describeYamlProblem(text, error).split("\n")[0]!.replace(/:$/, "")}`,
      "invalid",
    );
  }
}
