/** Serves the life cycle to the SDK's dynamic provider, which knows handlers of properties and nothing else. */

import { parseUrn } from "../../definitions/urn";
import { resourceArg, splitInputs } from "../core/hidden-argument";
import { type Properties, unwrapAll } from "../core/pulumi-values";
import { parseRecoverCreateQuery } from "../core/recover-create-query";
import type { Registration } from "../core/registration";
import { flatten } from "../core/resource-definition";
import type { FormerInstance } from "../lifecycle/former-instance";
import { ResourceProvider } from "../lifecycle/resource-provider";
import type { ReadResult } from "../lifecycle/results";
import { definitions, type HandlerName } from "../resources/index";
import type { Configuration } from "../session/provider-config";
import type { Session } from "../session/session";
import type { CheckResult, DiffResult } from "./handler-results";

/** What the SDK calls. */
export interface Handler {
  configure(request: { config: Configuration }): Promise<void>;
  check(olds: Properties, news: Properties): Promise<CheckResult>;
  diff(id: string, olds: Properties, news: Properties): Promise<DiffResult>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<ReadResult>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** The handlers of one process: they share the connection, the limits and what was read. */
export function createHandlers(session: Session): Record<HandlerName, Handler> {
  const registered = new Map<string, RegisteredResource>();
  const names = Object.keys(definitions) as HandlerName[];
  const handlers = names.map((name) => {
    const handler = new DynamicHandler(new ResourceProvider(definitions[name], session), registered);
    return [name, functionsOf(handler)];
  });
  return Object.fromEntries(handlers) as Record<HandlerName, Handler>;
}

/** A resource that was checked. */
interface RegisteredResource {
  registration: Omit<Registration, "isPreview">;
  /** Its arguments in the state. */
  state: Properties;
  /** Its ID and state, once the engine has asked for a difference. */
  recorded?: FormerInstance["recorded"];
  /** What it takes the place of, once the engine has begun to replace that. */
  former?: FormerInstance | undefined;
}

/** Functions that may be called without the object. */
const functionsOf = (handler: DynamicHandler): Handler => ({
  configure: (request) => handler.configure(request),
  check: (olds, news) => handler.check(olds, news),
  diff: (id, olds, news) => handler.diff(id, olds, news),
  create: (inputs) => handler.create(inputs),
  read: (id, props) => handler.read(id, props),
  update: (id, olds, news) => handler.update(id, olds, news),
  delete: (id, props) => handler.delete(id, props),
});

class DynamicHandler implements Handler {
  readonly #provider: ResourceProvider;
  readonly #session: Session;
  /** By URN. */
  readonly #registered: Map<string, RegisteredResource>;

  constructor(provider: ResourceProvider, registered: Map<string, RegisteredResource>) {
    this.#provider = provider;
    this.#session = provider.session;
    this.#registered = registered;
  }

  /** Nothing is awaited before the configuration is stored: other handlers may be called meanwhile. */
  async configure({ config }: { config: Configuration }): Promise<void> {
    this.#session.connection.configure(config);
  }

  async check(olds: Properties, news: Properties): Promise<CheckResult> {
    const { registration: argument, urn, inputs: args } = splitInputs(withoutProviderText(news));
    const { isPreview = false, otherIssues = [], secrets, company } = argument ?? {};
    this.#session.run.registrations.add(argument);
    const registration: Registration = {
      ...nameOf(urn),
      ...(secrets && { secrets }),
      ...(company !== undefined && { company }),
      isPreview,
    };
    this.#noteStack(urn);
    const state = own(olds);
    const { inputs, issues, refusals } = await this.#provider.check(registration, state, args);
    const former = this.#register(registration, state);
    const reasons = [...issues, ...(issues.length > 0 ? otherIssues : []), ...refusals];
    if (argument !== undefined && isPreview && reasons.length === 0) {
      const refusal = await this.#planCreate(registration, this.#flat(state), inputs, former);
      if (refusal !== undefined) reasons.push(refusal);
    }
    return {
      inputs: {
        ...inputs,
        ...(urn !== undefined && { [resourceArg]: urn }),
        ...("__provider" in news && { __provider: news.__provider }),
      },
      // The engine prints the value of a property that a failure names, and it may be secret.
      failures: reasons.map((reason) => ({ property: "", reason })),
    };
  }

  /** Records a resource that is checked. Returns its former instance if it is being replaced: then it is checked again, without a state. */
  #register({ isPreview: _, ...registration }: Registration, state: Properties): FormerInstance | undefined {
    const { urn } = registration;
    if (urn === undefined) return undefined;
    const { state: previous = {}, recorded } = this.#registered.get(urn) ?? {};
    const isReplacing = Object.keys(previous).length > 0;
    const former = isReplacing ? { args: this.#flat(previous), recorded, isDeleted: false } : undefined;
    this.#registered.set(urn, { registration, state, former });
    return former;
  }

  /** Why the update will refuse the create of what the state lacks. A failed check ends the run, so it is said once. */
  async #planCreate(
    registration: Registration,
    state: Properties,
    inputs: Properties,
    former: FormerInstance | undefined,
  ): Promise<string | undefined> {
    const { definition } = this.#provider;
    const { run, reporting } = this.#session;
    if (Object.keys(state).length === 0) {
      try {
        const planned = await this.#provider.planCreate(registration, inputs, former);
        if (planned && !reporting.effects.hasReader)
          run.preview?.addCreate(definition.kind, registration.urn!, planned.effect);
      } catch (error) {
        return (error as Error).message;
      }
    }
    run.preview?.summarize();
    return undefined;
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const [state, inputs] = [own(olds), own(news)];
    const registration = this.#find(news);
    const registered = this.#registeredAs(registration.urn);
    if (registered !== undefined) registered.recorded = { id, state };
    const { changes, replaces, deleteBeforeReplace } = await this.#provider.diff(registration, id, state, inputs);
    if (registration.isPreview && changes && replaces.length === 0) {
      await this.#provider.planUpdate(registration, id, state, inputs);
    }
    // Of a state that the plugin has written: an update adds the text, without which the engine could call no handler later.
    const lacksProviderText = "__provider" in news && !("__provider" in olds);
    return { changes: changes || lacksProviderText, replaces, deleteBeforeReplace };
  }

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const registration = this.#find(inputs);
    const { former } = this.#registeredAs(registration.urn) ?? {};
    return keepingProviderText(inputs, () => this.#provider.create(registration, own(inputs), former));
  }

  async read(id: string, props: Properties): Promise<ReadResult> {
    return keepingProviderText(props, async () => {
      if (id !== "") return this.#provider.read(id, own(props));
      const { inputs, managedIds } = parseRecoverCreateQuery(props);
      return this.#provider.recover(this.#find(inputs), own(inputs), managedIds);
    });
  }

  async update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    const inputs = own(news);
    return keepingProviderText(news, () => this.#provider.update(this.#find(news), id, own(olds), inputs));
  }

  async delete(id: string, props: Properties): Promise<void> {
    const registration = this.#find(props);
    await this.#provider.delete(registration, id, own(props));
    const { former } = this.#registeredAs(registration.urn) ?? {};
    if (former !== undefined) former.isDeleted = true;
  }

  /** What is known of the resource that has these inputs. */
  #find(inputs: Properties): Registration {
    const { urn } = splitInputs(inputs);
    this.#noteStack(urn);
    return {
      ...this.#registeredAs(urn)?.registration,
      ...nameOf(urn),
      isPreview: this.#session.run.preview !== undefined,
    };
  }

  #registeredAs(urn: string | undefined): RegisteredResource | undefined {
    return urn === undefined ? undefined : this.#registered.get(urn);
  }

  #noteStack(urn: string | undefined): void {
    if (urn !== undefined) this.#session.run.stack = parseUrn(urn).stack;
  }

  #flat(properties: Properties): Properties {
    return flatten(this.#provider.definition, unwrapAll(properties));
  }
}

const nameOf = (urn: string | undefined): Pick<Registration, "urn" | "name"> =>
  urn === undefined ? {} : { urn, name: parseUrn(urn).name };

const withoutProviderText = ({ __provider: _, ...properties }: Properties): Properties => properties;

/** Properties without what only the dynamic provider has: its text, and the name of the resource. */
const own = (properties: Properties): Properties => splitInputs(withoutProviderText(properties)).inputs;

/** The engine takes the properties of a failure as the new state: without the text it could do nothing with it any more. */
async function keepingProviderText<T>({ __provider }: Properties, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { properties } = error as { properties?: Properties };
    if (properties !== undefined && __provider !== undefined) properties.__provider = __provider;
    throw error;
  }
}
