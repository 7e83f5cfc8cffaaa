/** The configuration of a unit's stack: the file beside the program, which an engine reads and writes. */
import { existsSync } from "node:fs";
import { z } from "zod";
import type { ConfigNode } from "../../../../engine/config/values";
import { OperationError, type PulumiCommand } from "../../../engine/pulumi-command";
import { configurationInClear, stackConfigPath, stackFile } from "../../../project/project-files";
import { type Listed, type Unit, withSecretsOf } from "../units";

const configValues = z.record(z.string(), z.looseObject({ value: z.string().optional(), secret: z.boolean() }));
const listed: z.ZodType<Listed[]> = z.array(z.looseObject({ id: z.string() }));

export class UnitConfiguration {
  constructor(
    private readonly folder: string,
    private readonly command: PulumiCommand,
  ) {}

  /** Where the project was checked out again, a stack's configuration is that of its last deployment, if there was one. */
  async restore(stack: string): Promise<void> {
    if (existsSync(stackConfigPath(this.folder, stack))) return;
    await this.command.output(["config", "refresh", "--force", "--stack", stack]).catch((error: Error) => {
      if (!error.message.includes("no previous deployment")) throw error;
    });
  }

  /** The list of customers that a shared stack was deployed with. */
  async readList(stack: string, listKey: string): Promise<Listed[]> {
    await this.restore(stack);
    if (!Object.hasOwn(this.written(stack), listKey)) return [];
    const inClear = configurationInClear(this.folder, stack).get(listKey);
    const list = inClear ?? (await this.readSecrets(stack))[listKey]?.value ?? "[]";
    return parse(
      listed,
      list,
      `${listKey} of ${stack} is no list of customers, each with an id. To restore that of the last deployment: esign config refresh --stack ${stack}`,
    );
  }

  /** Brings the file to the unit's values: what has them already is not written. */
  async write({ stack, config, unset }: Unit): Promise<void> {
    const written = this.written(stack);
    const inClear = configurationInClear(this.folder, stack);
    const entries = Object.entries(withSecretsOf(config, written));
    const changed = entries.filter(([key, { value, secret }]) => !secret && inClear.get(key) !== value);
    if (changed.length > 0) {
      const values = changed.flatMap(([key, { value }]) => ["--plaintext", `${key}=${value}`]);
      await this.command.output(["config", "set-all", "--stack", stack, ...values]);
    }
    const secrets = entries.filter(([, { secret }]) => secret);
    const present = secrets.length > 0 ? await this.readSecrets(stack) : {};
    for (const [key, { value }] of secrets) {
      const now = present[key];
      if (!now?.secret || now.value !== value)
        await this.command.output(["config", "set", key, "--secret", "--stack", stack], value);
    }
    const surplus = unset.filter((key) => Object.hasOwn(written, key));
    if (surplus.length > 0) await this.command.output(["config", "rm-all", "--stack", stack, ...surplus]);
  }

  private written(stack: string): Record<string, ConfigNode> {
    return (stackFile(this.folder, stack).config ?? {}) as Record<string, ConfigNode>;
  }

  private async readSecrets(stack: string): Promise<z.output<typeof configValues>> {
    const output = await this.command.output(["config", "--show-secrets", "--json", "--stack", stack]);
    return parse(
      configValues,
      output,
      `the configuration of ${stack} cannot be read: \`config --json\` printed something else. To see it: esign config --stack ${stack}`,
    );
  }
}

/** JSON of a form. What is wrong with it may be secret: `problem` is all that is said. */
function parse<T>(form: z.ZodType<T>, text: string, problem: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperationError(problem, false);
  }
  const { success, data } = form.safeParse(value);
  if (!success) throw new OperationError(problem, false);
  return data;
}
