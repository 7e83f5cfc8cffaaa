/** The option `--config` of the operations: values for the stack's configuration, in clear. */

import { isSecretSetting } from "../../rules/secret-settings";
import type { DeployableStack } from "../engine/deployable-stack";
import { UsageError } from "../output/errors";

/** `-c key=value` of `up` and `preview`. */
export async function setConfigOptions(
  stack: Pick<DeployableStack, "setConfig">,
  options: readonly string[],
): Promise<void> {
  for (const option of options) {
    const at = option.indexOf("=");
    if (at <= 0) throw new UsageError(`--config "${option}": write it as key=value`);
    const key = option.slice(0, at);
    if (isSecretSetting(key)) throw new UsageError(`refusing to store "${key}" in plain text. Use: esign config set`);
    await stack.setConfig(key, option.slice(at + 1));
  }
}
