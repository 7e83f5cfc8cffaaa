/**
 * The handlers of the dynamic provider, served by the plugin: the tests of the provider try both adapters. What the class passes in
 * hidden arguments becomes what the engine says in its messages, each as it is on the wire.
 */
import { Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { EngineLog } from "../../plugin/engine-log";
import { createService } from "../../plugin/service";
import { type RegistrationArgument, resourceArg, splitInputs } from "../../provider/core/hidden-argument";
import { type Properties, secret, UNKNOWN, unwrapAll } from "../../provider/core/pulumi-values";
import { parseRecoverCreateQuery } from "../../provider/core/recover-create-query";
import type { Handler } from "../../provider/hooks";
import { definitions, type HandlerName } from "../../provider/resources/index";
import { configNames } from "../../provider/session/provider-config";
import type { Session } from "../../provider/session/session";
import { type PartialError, PluginClient, type ServiceMethods, urnOf } from "./client";

export function pluginHandlers(session: Session, environment: NodeJS.ProcessEnv): Record<HandlerName, Handler> {
  const plugin = new PluginClient(methodsOf(createService(session, new EngineLog(undefined), environment)));
  const run = new Run();
  const entries = (Object.keys(definitions) as HandlerName[]).map((name) => [
    name,
    handlerOf(plugin, definitions[name].kind, run),
  ]);
  return Object.fromEntries(entries) as Record<HandlerName, Handler>;
}

interface Registered {
  urn: string;
  isPreview: boolean;
}

/** What an engine knows of a run. */
class Run {
  /** The resources that were checked, by kind and arguments. */
  readonly registered = new Map<string, Registered>();
  /** By URN of a company, its id in the preview. */
  readonly companies = new Map<string, string>();
}

function handlerOf(plugin: PluginClient, kind: string, { registered, companies }: Run): Handler {
  const keyOf = (inputs: Properties) => `${kind} ${nameOf(inputs)}`;
  const find = (inputs: Properties): Registered =>
    registered.get(splitInputs(inputs).urn ?? keyOf(inputs)) ?? {
      urn: splitInputs(inputs).urn ?? urnOf(kind, nameOf(inputs)),
      isPreview: false,
    };
  return {
    async configure({ config }) {
      await plugin.configure(Object.fromEntries(configNames.map((name) => [name, config.get(`esign:${name}`)])));
    },

    async check(olds, news) {
      const { registration, inputs: declared } = splitInputs(withoutText(news));
      const { isPreview = false } = registration ?? {};
      const company = companies.get(registration?.company ?? "");
      const args = { ...declared, ...(declared.account === UNKNOWN && company && { account: company }) };
      const urn = registration?.urn ?? urnOf(kind, nameOf(args));
      const { inputs, failures } = await plugin.check(urn, own(olds), withSecrets(args, registration));
      registered.set(registration === undefined ? keyOf(inputs) : urn, { urn, isPreview });
      const reasons = [...failures];
      // Then an engine asks what a creation will give.
      if (isPreview && failures.length === 0 && Object.keys(own(olds)).length === 0)
        await plugin
          .create(urn, inputs, true)
          .then(({ id }) => registration !== undefined && companies.set(registration.urn, id))
          .catch(({ message }: Error) => reasons.push(message));
      return {
        inputs: {
          ...inputs,
          ...(registration && { [resourceArg]: urn }),
          ...("__provider" in news && { __provider: news.__provider }),
        },
        failures: reasons.map((reason) => ({ property: "", reason })),
      };
    },

    async diff(id, olds, news) {
      const { urn, isPreview } = find(news);
      const [state, inputs] = [own(olds), own(news)];
      const { isChanged, replaces, deleteBeforeReplace } = await plugin.diff(urn, id, state, inputs);
      if (isPreview && isChanged && replaces.length === 0) await plugin.update(urn, id, state, inputs, true);
      return { changes: isChanged, replaces, deleteBeforeReplace };
    },

    create: (inputs) => asOfHost(plugin.create(find(inputs).urn, own(inputs))),

    async update(id, olds, news) {
      const { urn } = find(news);
      return { outs: await asOfHost(plugin.update(urn, id, own(olds), own(news))) };
    },

    read: (id, props) => asOfHost(plugin.read(find(props).urn, id, own(props))),
    delete: (id, props) => asOfHost(plugin.delete(find(props).urn, id, own(props))),
  };
}

const withoutText = ({ __provider: _, ...properties }: Properties): Properties => properties;
const own = (properties: Properties): Properties => splitInputs(withoutText(properties)).inputs;

/** A name for what a test has not named: the same for the same arguments. */
function nameOf(inputs: Properties): string {
  const entries = Object.entries(unwrapAll(parseRecoverCreateQuery(own(inputs)).inputs)).filter(
    ([, value]) => value !== undefined,
  );
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const withSecrets = (args: Properties, { secrets = [] }: Partial<RegistrationArgument> = {}): Properties =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, secrets.includes(name) ? secret(value) : value]),
  );

/** Failures as the handlers throw them: without a stack, and with what the engine keeps. */
async function asOfHost<T>(work: Promise<T>): Promise<T> {
  return work.catch(({ message, partial }: PartialError) => {
    throw Object.assign(new Error(message), { stack: "", ...partial });
  });
}

/** As a client of gRPC hands on an error. */
const withMetadata = ({ ...error }: ServiceError): ServiceError => ({
  ...error,
  metadata: error.metadata ?? new Metadata(),
});

type Callback = (error: ServiceError | null, response?: unknown) => void;
type Method = (call: { request: unknown }, answer: Callback) => void;

/** Calls the methods of a service with messages in binary form, without a connection. */
function methodsOf(service: ReturnType<typeof createService>): ServiceMethods {
  const entries = Object.entries(ResourceProviderService).map(([name, definition]) => {
    const { requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } = definition;
    const method = (request: never, answer: Callback) =>
      (service[name] as Method)({ request: requestDeserialize(requestSerialize(request)) }, (error, response) =>
        error ? answer(withMetadata(error)) : answer(null, responseDeserialize(responseSerialize(response as never))),
      );
    return [name, method];
  });
  return Object.fromEntries(entries) as unknown as ServiceMethods;
}
