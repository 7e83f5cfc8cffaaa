/** Deploys customers with Pulumi's Automation API: a stack for each. */
import {
  ConcurrentUpdateError,
  type EngineEvent,
  LocalWorkspace,
  PulumiCommand,
  Stack,
} from "@pulumi/pulumi/automation";
import * as esign from "pulumi-esign";
import { engineCommand } from "pulumi-esign/automation";
import type { Customer } from "./customers";

const program = (customer: Customer) => async () => {
  const { name, owner, ...values } = customer;
  const account = new esign.SubAccount("customer", {
    folder: "account",
    name,
    userName: owner.name,
    userEmail: owner.email,
    values,
    // By default an identical company is adopted: another customer with the same name would get its key.
    onExisting: "fail",
  });
  return { companyId: account.company.companyId, apiKey: account.company.apiKey };
};

export class Provisioner {
  private constructor(private readonly workspace: LocalWorkspace) {}

  /** With the Pulumi CLI where there is one, otherwise with the built-in engine. */
  static async open(): Promise<Provisioner> {
    const pulumiCommand = await PulumiCommand.get().catch(() => engineCommand());
    return new Provisioner(await LocalWorkspace.create({ workDir: __dirname, pulumiCommand }));
  }

  /**
   * Brings a customer's account to what is wanted; resolves to the ID of its company.
   *
   * @param isRetry whether an earlier attempt may have been killed
   * @throws {Error} with the engine's errors, which have no keys
   */
  async up(id: string, customer: Customer, { signal, isRetry }: { signal: AbortSignal; isRetry: boolean }) {
    const errors: string[] = [];
    const onEvent = ({ diagnosticEvent: diagnostic }: EngineEvent) => {
      if (diagnostic?.severity === "error") errors.push(diagnostic.message.replace(/<\{%.*?%\}>/g, "").trim());
    };
    const stack = await Stack.createOrSelect(id, this.workspace);
    try {
      const { outputs } = await stack.up({ program: program(customer), onEvent, color: "never", signal });
      return String(outputs.companyId?.value);
    } catch (error) {
      // The queue gives a job to one worker at a time: the lock is of an engine that was killed with its service.
      if (error instanceof ConcurrentUpdateError && isRetry) await stack.cancel();
      throw new Error(errors.join("\n") || (signal.aborted ? "interrupted: it took too long" : (error as Error).name));
    }
  }

  /** The key of a customer's account, from the stack's state, where it is encrypted. */
  async apiKey(id: string): Promise<string> {
    const { apiKey } = await this.workspace.stackOutputs(id);
    return apiKey?.value;
  }
}
