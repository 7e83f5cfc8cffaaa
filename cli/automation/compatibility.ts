/** Which version of the Pulumi CLI the command answers for. The Automation API decides by it what it asks for. */
import { print } from "../output/terminal";
import { version } from "../output/version";

/** Version of the Pulumi CLI; what follows the plus sign has no meaning for comparisons. */
const compatibleWith = "3.260.0";

export function printVersion(): void {
  print(`v${compatibleWith}+pulumi-esign.${version}`);
}
