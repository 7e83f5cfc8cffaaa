/** The command with either engine, on one service. */
import { delimiter, dirname } from "node:path";
import { findPulumi } from "../../cli/engine/find-pulumi";
import type { Emulator } from "../../emulator";
import type { EngineName } from "../provider/programs";
import { bareEnv, esignProcess, type Outcome } from "./esign";
import { esign as command } from "./in-process";

/** In this process with the built-in engine. The Pulumi CLI writes to the streams of the process that starts it. */
export async function withEngine(
  engine: EngineName,
  args: readonly string[],
  { home, service }: { home: string; service: Emulator },
): Promise<Outcome & { all: string }> {
  const outcome = await (engine === "pulumi" ? esignProcess : command)([...args, "--engine", engine], {
    home,
    env: {
      PATH: `${dirname(findPulumi() ?? "")}${delimiter}${bareEnv(home).PATH}`,
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.partner,
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    },
  });
  return { ...outcome, all: outcome.stderr + outcome.stdout };
}
