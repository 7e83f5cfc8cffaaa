/** The package's dynamic provider for the built-in engine: functions in this process instead of the SDK's provider host. */
import {
  codeOf,
  type InProcessDynamicProvider,
  type InProcessHost,
  type RecordedState,
} from "../../engine/resource/in-process-providers";
import type { ValueMap } from "../../engine/resource/property-value";
import { InitError } from "../../engine/resource/provider-interface";
import { resourceArg } from "../../provider/core/hidden-argument";
import { InitFailure } from "../../provider/core/init-failure";
import { handlerNamedIn } from "../../provider/core/provider-text";
import type { Properties } from "../../provider/core/pulumi-values";
import { createHandlers, type Handler } from "../../provider/dynamic/handlers";
import { registerState } from "../../provider/lifecycle/recorded-state";
import { prefixed } from "../../provider/reporting/reporting";
import type { HandlerName } from "../../provider/resources/index";
import { noticesFor, sessionFor } from "./in-process-session";

/** @param settings the whole configuration of the stack, by full key */
export function openDynamic(
  host: InProcessHost,
  settings: ValueMap,
  recorded: RecordedState,
): InProcessDynamicProvider {
  const log = noticesFor(host);
  // As the SDK's host prints it.
  const session = sessionFor(host, (notice) => log.write(prefixed(notice)), log);
  const handlers = createHandlers(session);
  const config = { get: (key: string) => settings[key] as string | undefined };
  const configured = handlers.branding.configure({ config }).then(() => registerState(session, recorded));
  /** Has the handler that the code names do something. */
  const ask = async <T>(code: string | undefined, urn: string, work: (handler: Handler) => Promise<T>): Promise<T> => {
    await configured;
    const handler = handlers[handlerNamedIn(code ?? "") as HandlerName];
    return log.about(urn, () => work(handler)).catch(rethrow);
  };
  return {
    check: (urn, olds, news) =>
      ask(codeOf(news, olds), urn, async (handler) => {
        const { inputs, failures } = await handler.check(olds, news);
        return { inputs: withProviderText(inputs, news), failures };
      }),

    diff: (urn, id, _oldInputs, oldOutputs, news) =>
      ask(codeOf(news, oldOutputs), urn, async (handler) => {
        const { changes, ...others } = await handler.diff(id, oldOutputs, news);
        return { ...others, changes: changes ? "some" : "none" };
      }),

    create: (urn, news) =>
      ask(codeOf(news), urn, async (handler) => {
        const { id, outs } = await handler.create(news);
        return { id, outputs: withProviderText(outs, news) };
      }),

    read: (urn, id, _inputs, state) =>
      ask(codeOf(state), urn, async (handler) => {
        const { id: found, props, inputs } = await handler.read(id, state);
        return {
          id: found,
          outputs: withProviderText(props, state),
          inputs: inputs && withProviderText(inputs, state),
        };
      }),

    update: (urn, id, old, news) =>
      ask(codeOf(news), urn, async (handler) =>
        withProviderText((await handler.update(id, old.outputs, news)).outs, news),
      ),

    delete: (urn, id, _inputs, outputs) =>
      ask(codeOf(outputs), urn, (handler) => handler.delete(id, { ...outputs, [resourceArg]: urn })),

    close: () => session.close(),
  };
}

/** Without its code no resource could be read or deleted later. */
const withProviderText = (result: Properties | undefined, asked: ValueMap): ValueMap =>
  ({ ...result, __provider: asked.__provider }) as ValueMap;

function rethrow(error: unknown): never {
  if (error instanceof InitFailure) throw new InitError(error.id, error.properties as ValueMap, [...error.reasons]);
  throw error;
}
