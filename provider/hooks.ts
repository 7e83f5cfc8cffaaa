/**
 * The module that the text in every state file names. The names of the handlers never change, and every handler accepts
 * every older state.
 */

import { showWaitsIn } from "./dynamic/engine-log";
import { createHandlers } from "./dynamic/handlers";
import { engineAddress, watchEngine } from "./session/exit-with-engine";
import { Session } from "./session/session";

export { createHandlers, type Handler } from "./dynamic/handlers";

const engine = engineAddress(process.argv);
const session = new Session(
  engine === undefined
    ? {}
    : { engine: `${engine.host}:${engine.port}`, logWait: showWaitsIn(engine, process.argv[1]!) },
);
export const { branding, brandingEmail, webhook, company, contact, user, settings } = createHandlers(session);

if (engine !== undefined) watchEngine(engine, () => process.exit(1));
