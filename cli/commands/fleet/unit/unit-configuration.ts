/** The configuration of a unit's stack: the file beside the program, which an engine reads and writes. */
import { existsSync } from "node:fs";
import type { ConfigNode } from "../../../../engine/config/values";
import type { PulumiCommand } from "../../../engine/pulumi-command";
import { configurationInClear, stackConfigPath, stackFile } from "../../../project/project-files";
import { type Listed, type Unit, withSecretsOf } from "../units";

type ConfigValues = Record<string, { value?: string; secret: boolean }>;

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
    return JSON.parse(inClear ?? (await this.readSecrets(stack))[listKey]?.value ?? "[]");
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

  private async readSecrets(stack: string): Promise<ConfigValues> {
    return JSON.parse(await this.command.output(["config", "--show-secrets", "--json", "--stack", stack]));
  }
}
