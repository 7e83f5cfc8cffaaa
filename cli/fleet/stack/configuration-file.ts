/** Writes the configuration file of a fleet's stack. The engine encrypts and decrypts its secrets. */
import { existsSync } from "node:fs";
import { z } from "zod";
import type { ConfigNode } from "../../../engine/config/file-values";
import { tryParseJson } from "../../../fs/json-text";
import { OperationError } from "../../engine/operation-error";
import { configurationInClear, stackConfigPath, stackFile } from "../../project/project-files";
import { type CustomerEntry, type CustomerStack, withSecretsOf } from "../customer-stacks";
import type { StackConfiguration } from "../engine/fleet-engine";

const customerEntries: z.ZodType<CustomerEntry[]> = z.array(z.looseObject({ id: z.string() }));

export class ConfigurationFile {
  readonly #folder: string;
  readonly #stack: string;
  readonly #engine: StackConfiguration;

  constructor(folder: string, stack: string, engine: StackConfiguration) {
    this.#folder = folder;
    this.#stack = stack;
    this.#engine = engine;
  }

  /** Where the project was checked out again, a stack's configuration is that of its last deployment, if there was one. */
  async restore(): Promise<void> {
    if (!existsSync(stackConfigPath(this.#folder, this.#stack))) await this.#engine.restore();
  }

  /** The list of customers that a shared stack was deployed with. */
  async readList(listKey: string): Promise<CustomerEntry[]> {
    await this.restore();
    const folder = this.#folder;
    const stack = this.#stack;
    if (!Object.hasOwn(this.#written, listKey)) return [];
    const inClear = configurationInClear(folder, stack).get(listKey);
    const list = inClear ?? (await this.#engine.read())[listKey]?.value ?? "[]";
    const found = customerEntries.safeParse(tryParseJson(list)).data;
    if (found !== undefined) return found;
    // What is wrong with it may be secret.
    throw new OperationError(
      `${listKey} of ${stack} is not a list of customers with an id each. To restore that of the last deployment: esign config refresh --stack ${stack}`,
      false,
    );
  }

  /** Brings the file to the customers' values: what has them already is not written. */
  async write({ config, unset }: CustomerStack): Promise<void> {
    const written = this.#written;
    const inClear = configurationInClear(this.#folder, this.#stack);
    const entries = Object.entries(withSecretsOf(config, written));
    const changed = entries.filter(([key, { value, secret }]) => !secret && inClear.get(key) !== value);
    if (changed.length > 0) await this.#engine.setAll(changed.map(([key, { value }]) => ({ key, value })));
    const secrets = entries.filter(([, { secret }]) => secret);
    const present = secrets.length > 0 ? await this.#engine.read() : {};
    for (const [key, { value }] of secrets) {
      const now = present[key];
      if (!now?.secret || now.value !== value) await this.#engine.setSecret(key, value);
    }
    const surplus = unset.filter((key) => Object.hasOwn(written, key));
    if (surplus.length > 0) await this.#engine.removeAll(surplus);
  }

  get #written(): Record<string, ConfigNode> {
    return (stackFile(this.#folder, this.#stack).config ?? {}) as Record<string, ConfigNode>;
  }
}
