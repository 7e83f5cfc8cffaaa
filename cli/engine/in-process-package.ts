/** The package's plugin for the built-in engine: functions in this process instead of a process that answers messages. */
import { parseUrn } from "../../definitions/urn";
import type {
  InProcessHost,
  InProcessPackage,
  InProcessProvider,
  RecordedState,
} from "../../engine/resource/in-process-providers";
import type { ValueMap } from "../../engine/resource/property-value";
import { type CheckFailure, InitError, type ReportedDiff } from "../../engine/resource/provider-interface";
import { providerUrnOf } from "../../engine/resource/urn";
import { errorText } from "../../provider/core/grpc-error-text";
import { InitFailure } from "../../provider/core/init-failure";
import { isUnknown } from "../../provider/core/pulumi-values";
import { registerState } from "../../provider/lifecycle/recorded-state";
import { changedConfig, checkConfiguration, configure, earlierKey } from "../../provider/protocol/configure";
import { detailedDiff } from "../../provider/protocol/detailed-diff";
import { invoke } from "../../provider/protocol/functions";
import type { Notices } from "../../provider/protocol/notices";
import { Resources } from "../../provider/protocol/resources";
import { reportUnevaluated } from "../../provider/reporting/report-unevaluated";
import type { Session } from "../../provider/session/session";
import { noticesFor, sessionFor } from "./in-process-session";

export function loadPackage(host: InProcessHost): InProcessPackage {
  const log = noticesFor(host);
  const session = () => sessionFor(host, log.write, log);
  const stack = Object.fromEntries(
    [...host.config].flatMap(([key, { text }]) =>
      key.startsWith("esign:") ? [[key.slice("esign:".length), text]] : [],
    ),
  );
  /** By the URN of a provider instance, the key that it had until now, if it has another one. */
  const earlierKeys = new Map<string, string | undefined>();
  return {
    async checkConfig(urn, _olds, news) {
      const { inputs, issues } = checkConfiguration(news, parseUrn(urn).project, host.env, stack);
      if (isUnknown(inputs))
        await log.about(urn, async () => reportUnevaluated(session().reporting.effects, urn, log.write));
      return { inputs: inputs as ValueMap, failures: failuresOf(issues) };
    },
    async diffConfig(urn, _oldInputs, oldOutputs, news) {
      earlierKeys.set(urn, earlierKey(oldOutputs, news));
      const changes = changedConfig(oldOutputs, news).length > 0 ? "some" : "none";
      return { changes, replaces: [], deleteBeforeReplace: false };
    },
    open(reference, settings, recorded) {
      const opened = session();
      opened.accounts.earlierKey.set(earlierKeys.get(providerUrnOf(reference)));
      return {
        ...openProvider(opened, log, settings, recorded),
        construct: async (goal, registrar) =>
          (await import("./in-process-components.js")).construct(goal, registrar, host, reference),
      };
    },
  };
}

function openProvider(
  session: Session,
  log: Notices,
  settings: ValueMap,
  recorded: RecordedState,
): Omit<InProcessProvider, "construct"> {
  configure(session.connection, settings);
  registerState(session, recorded);
  const resources = new Resources(session);
  /** The resources whose creation the engine has an answer of. */
  const created: string[] = [];
  /** Does something for a resource. What it throws is shown to people, and may be about an object that exists. */
  const about = <T>(urn: string, work: () => Promise<T>): Promise<T> => log.about(urn, work).catch(rethrow);
  return {
    check: (urn, olds, news, dependencies) =>
      about(urn, async () => {
        const { inputs, failures } = await resources.check(urn, olds, news, dependencies);
        return { inputs: inputs as ValueMap, failures: failuresOf(failures) };
      }),

    diff: (urn, id, _oldInputs, oldOutputs, news) =>
      about(urn, async () => diffOf(oldOutputs, news, await resources.diff(urn, id, oldOutputs, news))),

    create: (urn, news, timeout, preview) =>
      about(urn, async () => {
        const create = () => resources.create(urn, news, preview);
        const { id, outs } = await session.run.writeGate.within(timeout, "create", create);
        if (!preview) created.push(urn);
        return { id, outputs: outs as ValueMap };
      }),

    update: (urn, id, old, news, _ignore, timeout, preview) =>
      about(urn, async () => {
        const update = () => resources.update(urn, id, old.outputs, news, preview);
        return (await session.run.writeGate.within(timeout, "update", update)).outs as ValueMap;
      }),

    read: (urn, id, inputs, state) =>
      about(urn, async () => {
        const found = await resources.read(urn, id, state, inputs);
        return { id: found.id, outputs: (found.props ?? {}) as ValueMap, inputs: (found.inputs ?? {}) as ValueMap };
      }),

    delete: (urn, id, _inputs, outputs, timeout) =>
      about(urn, () => session.run.writeGate.within(timeout, "delete", () => resources.delete(urn, id, outputs))),

    invoke: async (token, args) => {
      const { issues, result = {} } = await invoke(session, token, args).catch(rethrow);
      return { result: result as ValueMap, failures: failuresOf(issues ?? []) };
    },

    close(isSaved) {
      for (const urn of isSaved ? created : []) resources.endCreate(urn);
      session.close();
    },
  };
}

/** The engine prints the value of a property that a failure names, and it may be secret. */
const failuresOf = (issues: readonly string[]): CheckFailure[] => issues.map((reason) => ({ property: "", reason }));

type Differences = Parameters<typeof detailedDiff>[2] & { changes: boolean; deleteBeforeReplace: boolean };

function diffOf(olds: ValueMap, news: ValueMap, difference: Differences): ReportedDiff {
  const { changes, replaces, deleteBeforeReplace } = difference;
  const details = [...detailedDiff(olds, news, difference)].map(([path, { kind }]) => ({ path, kind }));
  return { changes: changes ? "some" : "none", replaces, deleteBeforeReplace, details };
}

function rethrow(error: unknown): never {
  if (error instanceof InitFailure) throw new InitError(error.id, error.properties as ValueMap, [...error.reasons]);
  throw new Error(errorText(error instanceof Error ? error.message : "unknown failure"));
}
