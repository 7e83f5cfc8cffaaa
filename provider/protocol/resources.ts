/** Serves the life cycle of all resources, which the messages name by URN. */

import { isSubaccount } from "../../definitions/model";
import { keyOfId } from "../../definitions/object-id";
import { parseUrn } from "../../definitions/urn";
import { splitInputs } from "../core/hidden-argument";
import { isUnknown, type Properties, UNKNOWN, unwrap, unwrapAll } from "../core/pulumi-values";
import { parseRecoverCreateQuery } from "../core/recover-create-query";
import type { Registration } from "../core/registration";
import { flatten, type ResourceDefinition } from "../core/resource-definition";
import type { FormerInstance } from "../lifecycle/former-instance";
import { ResourceProvider } from "../lifecycle/resource-provider";
import type { Difference, ReadResult } from "../lifecycle/results";
import { describeAdoption } from "../plan/describe-effects";
import { isAdopted } from "../plan/effect";
import { definitionOfType } from "../resources/index";
import type { Session } from "../session/session";
import { instanceIdIn, metadataKey } from "../state/metadata";
import { secretNames, withSecretsOf } from "./mark-secrets";
import { definitionServed } from "./tokens";

/** A resource of a message, and what serves it. */
interface Target {
  provider: ResourceProvider;
  registration: Registration;
}

export class Resources {
  readonly #providers = new Map<ResourceDefinition, ResourceProvider>();
  /** By URN, once checked: the arguments in the state. */
  readonly #states = new Map<string, Properties>();
  /** By URN, of what is being replaced: the arguments of the instance before. */
  readonly #replaced = new Map<string, Properties>();
  /** By URN, the instance that the state has. */
  readonly #recorded = new Map<string, { id: string; state: Properties }>();
  readonly #deleted = new Set<string>();
  /** By URN, the instance id of what was created. */
  readonly #created = new Map<string, string | undefined>();
  /** By URN, what is updated although the program has not changed: an output has, in the account. */
  readonly #changedOutside = new Set<string>();
  /** By URN, the one company that `account` depends on, where the engine passes that. */
  readonly #companies = new Map<string, string>();
  /** In a preview, by URN, the companies whose ids are not known yet. True: it will be created. */
  readonly #plannedCompanies = new Map<string, boolean>();

  constructor(readonly session: Session) {}

  /** `dependencies`: by argument, the URNs of the resources that it depends on; undefined where the engine does not pass them. */
  async check(
    urn: string,
    olds: Properties,
    news: Properties,
    dependencies?: Readonly<Record<string, readonly string[]>>,
  ): Promise<{ inputs: Properties; failures: string[] }> {
    // Of several, nothing says which one it is.
    const [company, ...others] = (dependencies?.account ?? []).filter(isCompany);
    if (company !== undefined && others.length === 0) this.#companies.set(urn, company);
    const { provider, registration } = this.#find(urn, news);
    // Nothing says how many the program declares: none is waited for.
    this.session.run.registrations.add({ declared: 0, urn });
    const { inputs, issues, refusals } = await provider.check(registration, withoutText(olds), news);
    const failures = [...issues, ...refusals];
    const previous = this.#states.get(urn);
    this.#states.set(urn, olds);
    // Of what is replaced, the new instance is checked once more, without a state.
    if (previous !== undefined && Object.keys(previous).length > 0 && Object.keys(olds).length === 0)
      this.#replaced.set(urn, flatten(provider.definition, unwrapAll(previous)));
    return { inputs: withSecretsOf(inputs, news), failures };
  }

  async diff(urn: string, id: string, olds: Properties, news: Properties): Promise<Difference> {
    const { provider, registration } = this.#find(urn, news);
    const state = withoutText(olds);
    this.#recorded.set(urn, { id, state });
    const difference = await provider.diff(registration, id, state, news);
    if (difference.changes && difference.changed.length === 0) this.#changedOutside.add(urn);
    return difference;
  }

  async create(urn: string, news: Properties, isPreview: boolean): Promise<{ id: string; outs: Properties }> {
    const { provider, registration } = this.#find(urn, news, isPreview);
    if (isPreview) return this.#planCreate(urn, provider, registration, news);
    const { id, outs } = await provider.create(registration, news, this.#formerOf(urn));
    this.#created.set(urn, instanceIdIn(unwrap(outs[metadataKey])));
    return { id, outs: withSecretsOf(outs, news) };
  }

  #formerOf(urn: string): FormerInstance | undefined {
    const [args, isDeleted] = [this.#replaced.get(urn), this.#deleted.has(urn)];
    return args === undefined && !isDeleted ? undefined : { args, isDeleted, recorded: this.#recorded.get(urn) };
  }

  async #planCreate(urn: string, provider: ResourceProvider, registration: Registration, news: Properties) {
    const { definition } = provider;
    const company = registration.company ?? (isUnknown(news.account) ? this.#newCompany(definition, news) : undefined);
    const place = company === undefined ? registration : { ...registration, company };
    const planned = await provider.planCreate(place, news, this.#formerOf(urn));
    const effect = planned?.effect;
    if (isSubaccount(definition.kind) && effect !== undefined && !isAdopted(effect))
      this.#plannedCompanies.set(urn, effect.effect === "create");
    const id = effect !== undefined && isAdopted(effect) && effect.id !== undefined ? effect.id : "";
    const outputs = Object.fromEntries(Object.keys(definition.outputs).map((name) => [name, UNKNOWN as unknown]));
    const outs = { ...outputs, ...keyOutput(definition, id), ...news };
    const { reporting } = this.session;
    const notice = effect && describeAdoption(effect, "planned");
    if (notice !== undefined && !reporting.effects.hasReader)
      reporting.log(`${definition.kind} ${registration.name}: ${notice}`);
    return { id, outs };
  }

  /**
   * The account that is not known is one of the companies, and nothing says which. Undefined unless it makes no difference: all of them
   * are new, and the object is in all of them from the beginning or in none.
   */
  #newCompany({ collection }: ResourceDefinition, news: Properties): string | undefined {
    const companies = [...this.#plannedCompanies];
    const planned = this.session.run.preview?.companies;
    const args = unwrapAll(news);
    const answers = companies.map(
      ([urn]) => collection?.isInNewAccount?.(args, planned?.find(urn)?.args ?? {}) === true,
    );
    const isAlike = companies.every(([, isNew]) => isNew) && new Set(answers).size === 1;
    return isAlike ? companies.at(-1)?.[0] : undefined;
  }

  async update(
    urn: string,
    id: string,
    olds: Properties,
    news: Properties,
    isPreview: boolean,
  ): Promise<{ outs: Properties }> {
    const { provider, registration } = this.#find(urn, news, isPreview);
    if (!isPreview) {
      const { outs } = await provider.update(registration, id, withoutText(olds), news);
      return { outs: withSecretsOf(outs, news, olds) };
    }
    const { definition } = provider;
    await provider.planUpdate(registration, id, withoutText(olds), news);
    const { changedByUpdate = [], rotatedOutputs = [] } = definition;
    const changing = [...changedByUpdate, ...(this.#changedOutside.has(urn) ? rotatedOutputs : [])];
    const recorded = Object.keys(definition.outputs).filter((name) => olds[name] !== undefined);
    const outputs = Object.fromEntries(recorded.map((name) => [name, changing.includes(name) ? UNKNOWN : olds[name]]));
    return { outs: { ...outputs, ...news } };
  }

  async read(urn: string, id: string, properties: Properties, inputs: Properties): Promise<ReadResult> {
    const { provider, registration } = this.#find(urn, inputs);
    const state = withoutText(properties);
    const asked = parseRecoverCreateQuery(state);
    const found =
      id === ""
        ? await provider.recover(registration, asked.inputs, asked.managedIds)
        : await provider.read(id, state, registration.name);
    const mark = (part: Properties | undefined) => part && withSecretsOf(part, properties, inputs);
    return { id: found.id, ...(found.id !== "" && { props: mark(found.props)!, inputs: mark(found.inputs)! }) };
  }

  async delete(urn: string, id: string, properties: Properties): Promise<void> {
    const { provider, registration } = this.#find(urn, {});
    // The engine deletes what was replaced when its state has the replacement.
    this.endCreate(urn);
    await provider.delete(registration, id, withoutText(properties));
    this.#deleted.add(urn);
  }

  /** The state includes what was created for a resource: without an engine that says it, the next run finds that. */
  endCreate(urn: string): void {
    this.session.ledger.endCreate({ instanceId: this.#created.get(urn) });
  }

  #find(urn: string, news: Properties, isPreview = this.session.run.preview !== undefined): Target {
    const { stack, type, name } = parseUrn(urn);
    const definition = definitionServed(type);
    this.session.run.stack = stack;
    const provider = this.#providers.get(definition) ?? new ResourceProvider(definition, this.session);
    this.#providers.set(definition, provider);
    if (isPreview) this.session.run.startPreview();
    const company = this.#companies.get(urn);
    const registration = {
      name,
      secrets: secretNames(news),
      isPreview,
      urn,
      ...(company !== undefined && { company }),
    };
    return { provider, registration };
  }
}

const isCompany = (urn: string): boolean => isSubaccount(definitionOfType(parseUrn(urn).type)?.kind);

/** Properties without what only a dynamic resource has, which a state has that moved: its text, and its name. */
const withoutText = ({ __provider: _, ...properties }: Properties): Properties => splitInputs(properties).inputs;

const keyOutput = ({ keyOutput: name }: ResourceDefinition, id: string): Properties =>
  name === undefined || id === "" ? {} : { [name]: keyOfId(id) };
