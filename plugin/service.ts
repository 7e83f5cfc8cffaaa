/** The service that an engine calls, message by message. What a call throws is its answer: nothing ends the process. */
import type { ServerUnaryCall, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import * as plugin from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { parseUrn } from "../definitions/urn";
import { isUnknown, type Properties } from "../provider/core/pulumi-values";
import { changedConfig, checkConfiguration, configure, earlierKey } from "../provider/protocol/configure";
import { detailedDiff, type PropertyDifference } from "../provider/protocol/detailed-diff";
import { invoke } from "../provider/protocol/functions";
import { Resources } from "../provider/protocol/resources";
import { schemaText, version } from "../provider/protocol/schema";
import { reportUnevaluated } from "../provider/reporting/report-unevaluated";
import type { Session } from "../provider/session/session";
import type { EngineLog } from "./engine-log";
import { serviceError } from "./errors";
import { propertiesOf, structOf } from "./messages";

const { DiffChanges } = messages.DiffResponse;

/** Calls a function for the resource of a message, with its notices under that. */
type About = <Q extends { getUrn(): string }, R>(work: (request: Q) => Promise<R>) => Unary<Q, R>;

/** The provider that this process is, once it is configured. */
interface Instance {
  /** As registrations name it, `<urn>::<id>`. Older engines do not say it. */
  reference: string | undefined;
}

/** `environment`: where settings are looked for that a provider instance does not have. */
export function createService(
  session: Session,
  log: EngineLog,
  environment: NodeJS.ProcessEnv = process.env,
): UntypedServiceImplementation {
  const resources = new Resources(session);
  const instance: Instance = { reference: undefined };
  const about: About = (work) => unary((request) => log.about(request.getUrn(), () => work(request)));
  return {
    ...pluginMethods,
    ...settingMethods(session, about, environment, instance),
    ...planMethods(resources, about),
    ...writeMethods(session, resources, about),

    /** What is in progress ends by itself, within the time limit of a request; nothing begins. */
    cancel: unary(async () => {
      session.run.writeGate.cancel();
      return new Empty();
    }),

    construct: unary(async (request: messages.ConstructRequest) => {
      const { construct } = await import("./components/construct.js");
      return construct(request, log.address, instance.reference);
    }),

    invoke: unary(async (request: messages.InvokeRequest) => {
      const { issues, result = {} } = await invoke(session, request.getTok(), propertiesOf(request.getArgs()));
      const response = new messages.InvokeResponse();
      response.setReturn(structOf(result));
      response.setFailuresList(failuresOf(issues ?? []));
      return response;
    }),
  };
}

const pluginMethods = {
  handshake: unary(async () => {
    const response = new messages.ProviderHandshakeResponse();
    response.setAcceptSecrets(true);
    return response;
  }),

  getPluginInfo: unary(async () => {
    const response = new plugin.PluginInfo();
    response.setVersion(version);
    return response;
  }),

  getSchema: unary(async () => {
    const response = new messages.GetSchemaResponse();
    response.setSchema(schemaText());
    return response;
  }),
};

const settingMethods = (session: Session, about: About, environment: NodeJS.ProcessEnv, instance: Instance) => ({
  checkConfig: about(async (request: messages.CheckRequest) => {
    const { project } = parseUrn(request.getUrn());
    const { inputs, issues } = checkConfiguration(propertiesOf(request.getNews()), project, environment);
    if (isUnknown(inputs))
      reportUnevaluated(session.reporting.effects, request.getUrn(), (notice) => session.reporting.log(notice));
    return checkResponse(inputs, issues);
  }),

  diffConfig: unary(async (request: messages.DiffRequest) => {
    const [olds, news] = [propertiesOf(request.getOlds()), propertiesOf(request.getNews())];
    const names = changedConfig(olds, news);
    session.accounts.earlierKey.set(earlierKey(olds, news));
    const response = new messages.DiffResponse();
    response.setChanges(names.length > 0 ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE);
    response.setDiffsList(names);
    return response;
  }),

  configure: unary(async (request: messages.ConfigureRequest) => {
    configure(session.connection, propertiesOf(request.getArgs()));
    const [urn, id] = [request.getUrn(), request.getId()];
    if (urn && id) instance.reference = `${urn}::${id}`;
    const response = new messages.ConfigureResponse();
    response.setAcceptsecrets(true);
    response.setSupportspreview(true);
    return response;
  }),
});

const planMethods = (resources: Resources, about: About) => ({
  check: about(async (request: messages.CheckRequest) => {
    const [olds, news] = [propertiesOf(request.getOlds()), propertiesOf(request.getNews())];
    const { inputs, failures } = await resources.check(request.getUrn(), olds, news);
    return checkResponse(inputs, failures);
  }),

  diff: about(async (request: messages.DiffRequest) => {
    const [olds, news] = [propertiesOf(request.getOlds()), propertiesOf(request.getNews())];
    const difference = await resources.diff(request.getUrn(), request.getId(), olds, news);
    const response = new messages.DiffResponse();
    response.setChanges(difference.changes ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE);
    response.setReplacesList(difference.replaces);
    response.setDeletebeforereplace(difference.deleteBeforeReplace);
    response.setDiffsList(difference.changed);
    response.setHasdetaileddiff(true);
    const details = response.getDetaileddiffMap();
    for (const [path, each] of detailedDiff(olds, news, difference)) details.set(path, propertyDiff(each));
    return response;
  }),

  read: about(async (request: messages.ReadRequest) => {
    const [state, recorded] = [propertiesOf(request.getProperties()), propertiesOf(request.getInputs())];
    const { id, props = {}, inputs = {} } = await resources.read(request.getUrn(), request.getId(), state, recorded);
    const response = new messages.ReadResponse();
    response.setId(id);
    response.setProperties(structOf(props));
    response.setInputs(structOf(inputs));
    return response;
  }),
});

const writeMethods = ({ run: { writeGate } }: Pick<Session, "run">, resources: Resources, about: About) => ({
  create: about(async (request: messages.CreateRequest) => {
    const properties = propertiesOf(request.getProperties());
    const create = () => resources.create(request.getUrn(), properties, request.getPreview());
    const { id, outs } = await writeGate.within(request.getTimeout(), "create", create);
    const response = new messages.CreateResponse();
    response.setId(id);
    response.setProperties(structOf(outs));
    return response;
  }),

  update: about(async (request: messages.UpdateRequest) => {
    const [olds, news] = [propertiesOf(request.getOlds()), propertiesOf(request.getNews())];
    const update = () => resources.update(request.getUrn(), request.getId(), olds, news, request.getPreview());
    const { outs } = await writeGate.within(request.getTimeout(), "update", update);
    const response = new messages.UpdateResponse();
    response.setProperties(structOf(outs));
    return response;
  }),

  delete: about(async (request: messages.DeleteRequest) => {
    const properties = propertiesOf(request.getProperties());
    const remove = () => resources.delete(request.getUrn(), request.getId(), properties);
    await writeGate.within(request.getTimeout(), "delete", remove);
    return new Empty();
  }),
});

function propertyDiff({ kind, replaces }: PropertyDifference): messages.PropertyDiff {
  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;
  const kinds = {
    add: [ADD, ADD_REPLACE],
    delete: [DELETE, DELETE_REPLACE],
    update: [UPDATE, UPDATE_REPLACE],
  } as const;
  const diff = new messages.PropertyDiff();
  diff.setKind(kinds[kind][replaces ? 1 : 0]);
  return diff;
}

type Unary<Q, R> = (call: ServerUnaryCall<Q, R>, answer: sendUnaryData<R>) => void;

function unary<Q, R>(work: (request: Q) => Promise<R>): Unary<Q, R> {
  return (call, answer) => {
    // Reading a message may throw, too.
    Promise.resolve(call.request)
      .then(work)
      .then(
        (response) => answer(null, response),
        (error: unknown) => answer(serviceError(error)),
      );
  };
}

function checkResponse(inputs: Properties, issues: readonly string[]): messages.CheckResponse {
  const response = new messages.CheckResponse();
  response.setInputs(structOf(inputs));
  response.setFailuresList(failuresOf(issues));
  return response;
}

/** The engine prints the value of a property that a failure names, and it may be secret. */
function failuresOf(issues: readonly string[]): messages.CheckFailure[] {
  return issues.map((issue) => {
    const failure = new messages.CheckFailure();
    failure.setProperty("");
    failure.setReason(issue);
    return failure;
  });
}
