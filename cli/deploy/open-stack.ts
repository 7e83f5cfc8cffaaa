/** The stack that is deployed, on either engine. */
import { plainStackName } from "../../engine/config/stack-names";
import type { RollbackOptions } from "../../engine/index";
import { builtInStack } from "../engine/built-in-stack";
import type { EngineChoice } from "../engine/choose-engine";
import type { DeployableStack } from "../engine/deployable-stack";
import { withOwnPlugin } from "../engine/own-plugin";
import { runPulumi } from "../engine/pulumi-cli";
import { PulumiCommand } from "../engine/pulumi-command";
import { endAsItDid, PulumiStack } from "../engine/pulumi-stack";
import { UsageError } from "../output/errors";
import { passphraseEnv } from "../project/ask-passphrase";
import { chooseStack, openOrCreateStack } from "../project/choose-stack";
import { rejectLocalPassphrase } from "../project/local-passphrase";
import { openConfiguration, openProject, selectedStack } from "../project/open-project";
import { isYamlProject, projectFolder, projectName } from "../project/project-files";
import { recordBackend } from "../project/record-backend";
import { type DeploymentAccount, deploymentAccount } from "./deployment-account";
import { rollbackTo } from "./rollback-arguments";
import type { DeployOptions } from "./run-options";

export interface OpenedStack {
  stack: DeployableStack;
  account(): Promise<DeploymentAccount>;
  rollback?: RollbackOptions;
}

/** @param writes whether the operation may change the state */
export async function openBuiltIn(options: DeployOptions, env: Env, writes: boolean): Promise<OpenedStack> {
  const project = await openProject(env);
  if (writes) await recordBackend(project);
  const stack = await openOrCreateStack(project, options, Boolean(options.local || options.quickstart));
  const all = { ...process.env, ...env };
  await rejectLocalPassphrase(project.directory, stack.name, all);
  return {
    stack: builtInStack(stack),
    account: () => deploymentAccount(stack.config, all),
    ...(options.rollback !== undefined && {
      rollback: rollbackTo(await stack.findVersion(options.rollback)),
    }),
  };
}

export async function openPulumi(
  { path }: Extract<EngineChoice, { engine: "pulumi" }>,
  options: DeployOptions,
  extra: Env,
): Promise<OpenedStack> {
  // Checking types is tsc's business; it would cost three seconds on each run.
  const transpileOnly = options.typeCheck ? {} : { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const first: NodeJS.ProcessEnv = { ...transpileOnly, ...process.env, ...extra };
  if (options.stack !== undefined && (options.local || options.quickstart))
    await runPulumi(path, ["stack", "select", "--create", "--stack", options.stack], first);
  const fullName =
    options.stack ?? (await selectedStack()) ?? (await stackOfCli(new PulumiCommand(path, process.cwd(), first)));
  const name = plainStackName(fullName);
  const passphrase = await passphraseEnv(name, first);
  const isYaml = isYamlProject(projectFolder());
  const withPlugin = isYaml ? withOwnPlugin(first) : first;
  const env = { ...withPlugin, ...passphrase };
  const project = await openProject({ ...extra, ...passphrase }).catch(() => undefined);
  const stack = new PulumiStack(new PulumiCommand(path, process.cwd(), env), {
    fullName,
    name,
    project: projectName(projectFolder()),
    programDirectory: project?.programDirectory ?? projectFolder(),
    isYaml,
  });
  return { stack, account: () => accountBeside(name, { ...extra, ...passphrase }) };
}

type Env = Record<string, string>;

/** The selected stack, or the one that a person chooses, where only the CLI can read the project. */
async function stackOfCli(pulumi: PulumiCommand): Promise<string> {
  try {
    const selected = await pulumi
      .output(["stack", "--show-name", "--fully-qualify-stack-names"])
      .catch(() => undefined);
    if (selected !== undefined) return selected.trim();
    const output = await pulumi.output(["stack", "ls", "--json"]).catch((error) => endAsItDid(error, ""));
    const listStacks = async () => JSON.parse(output) as { name: string }[];
    return await chooseStack({ name: projectName(projectFolder()), listStacks });
  } finally {
    pulumi.close();
  }
}

/** The account, as far as the configuration beside the program says it. */
export async function accountBeside(stack: string, env: Env, from?: string): Promise<DeploymentAccount> {
  try {
    const { configuration } = await openConfiguration(stack, from, env);
    return await deploymentAccount(configuration.config, { ...process.env, ...env });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The CLI has other ways to encrypt, and to keep, a configuration.
    return { label: undefined, configuration: async () => ({ get: () => undefined }) };
  }
}
