import { automation } from "@pulumi/pulumi";
import * as esign from "pulumi-esign";
import { engineCommand } from "pulumi-esign/automation";
import { start } from "pulumi-esign/emulator";

interface Customer {
  name: string;
  owner: { name: string; email: string };
  colour: string;
  endpoint: string;
}

/** The customers of the partner by their ID, which is the name of their stack. In production a query. */
const customers: Record<string, Customer> = {
  harbour: {
    name: "Harbour Lettings",
    owner: { name: "Hanna Berg", email: "hanna@harbour.example.com" },
    colour: "#0B7285",
    endpoint: "https://harbour.example.com/esign",
  },
};

/** The program of a customer's stack: a subaccount, and what is in it. */
function program(id: string, { name, owner, colour, endpoint }: Customer) {
  // Neither `destroy` nor a change of the program deletes it. See `deletionProtection`.
  const company = new esign.Company(id, { name, userName: owner.name, userEmail: owner.email });
  new esign.Branding(id, { account: company, colour });
  new esign.Webhook(`${id}-signed`, { account: company, type: "signed-envelope-complete", url: `${endpoint}/signed` });
  return { companyId: company.companyId, apiKey: company.apiKey };
}

/** Brings a customer's stack up to date. @returns how many resources were created, updated … */
async function provision(id: string, customer: Customer, options: automation.LocalWorkspaceOptions) {
  const stack = await automation.LocalWorkspace.createOrSelectStack(
    { projectName: "${PROJECT}", stackName: id, program: async () => program(id, customer) },
    options,
  );
  const errors: string[] = [];
  const onEvent = ({ diagnosticEvent: diagnostic }: automation.EngineEvent) => {
    if (diagnostic?.severity === "error") errors.push(diagnostic.message.replace(/<\{%.*?%\}>/g, "").trim());
  };
  try {
    const { summary } = await stack.up({ onEvent, color: "never" });
    return summary.resourceChanges;
  } catch (error) {
    throw errors.length > 0 ? new Error(errors.join("\n")) : error;
  }
}

const required = ["ESIGN_BASE_URL", "ESIGN_API_KEY", "PULUMI_CONFIG_PASSPHRASE"];

async function main() {
  const unknown = process.argv.slice(2).filter((option) => option !== "--local");
  // Without it, a misspelt --local would deploy to the account.
  if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(" ")}; there is only --local`);
  // With --local: the emulator, and states of their own. A script has it, since npm takes the --local of `npm start --local`.
  const emulator = process.argv.includes("--local") ? await start({ file: ".esign/service.json" }) : undefined;
  const local = emulator && {
    ESIGN_BASE_URL: emulator.url,
    ESIGN_API_KEY: emulator.keys.partner,
    PULUMI_BACKEND_URL: `file://${process.cwd()}/.esign`,
    PULUMI_CONFIG_PASSPHRASE: "local",
  };
  const missing = required.filter((name) => !local && process.env[name] === undefined);
  if (missing.length > 0) throw new Error(`set ${missing.join(", ")} (see README.md), or run: npm run local`);
  const options = {
    // The Pulumi CLI where there is one, otherwise the built-in engine.
    pulumiCommand: await automation.PulumiCommand.get().catch(() => engineCommand()),
    envVars: local ?? { PULUMI_BACKEND_URL: process.env.PULUMI_BACKEND_URL ?? `file://${process.cwd()}` },
  };
  for (const [id, customer] of Object.entries(customers)) {
    try {
      console.log(`${id}: ${JSON.stringify(await provision(id, customer, options))}`);
    } catch (error) {
      // The others do not depend on it.
      console.error(`${id}: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
  await emulator?.close();
}

main().catch((error: Error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
