/**
 * The module that the text in every state file names. The names of the handlers never change, and every handler accepts
 * every older state.
 */

import type { Properties } from "./core/pulumi-values";
import type { CheckResult, DiffResult } from "./lifecycle/hook-results";
import { ResourceProvider } from "./lifecycle/resource-provider";
import { definitionOf, definitions, type HandlerName } from "./resources/index";
import { engineAddress, watchEngine } from "./session/exit-with-engine";
import { Session } from "./session/session";
import type { Configuration } from "./session/settings";

/** What the SDK calls. */
export interface Handler {
  configure(request: { config: Configuration }): Promise<void>;
  check(olds: Properties, news: Properties): Promise<CheckResult>;
  diff(id: string, olds: Properties, news: Properties): Promise<DiffResult>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** The handlers of one process: they share the connection, the limits and what was read. */
export function createHandlers(session: Session): Record<HandlerName, Handler> {
  const names = Object.keys(definitions) as HandlerName[];
  return Object.fromEntries(names.map((name) => [name, createHandler(name, session)])) as Record<HandlerName, Handler>;
}

function createHandler(name: HandlerName, session: Session): Handler {
  const provider = new ResourceProvider(definitionOf(name), session);
  return {
    // Nothing is awaited before the configuration is stored: other hooks may be called meanwhile.
    configure: async ({ config }) => session.configure(config),
    check: async (olds, news) => provider.check(olds, news),
    diff: async (id, olds, news) => provider.diff(id, olds, news),
    create: (inputs) => provider.create(inputs),
    read: (id, props) => provider.read(id, props),
    update: (id, olds, news) => provider.update(id, olds, news),
    delete: (id, props) => provider.delete(id, props),
  };
}

const engine = engineAddress(process.argv);
const session = new Session(engine === undefined ? {} : { run: `${engine.host}:${engine.port}` });
export const { branding, brandingEmail, webhook, company, contact, user, settings } = createHandlers(session);

if (engine !== undefined) watchEngine(engine, () => process.exit(1));
