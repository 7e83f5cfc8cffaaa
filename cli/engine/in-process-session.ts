/**
 * A session of the provider in the engine's process. It takes everything from the run, such as the environment and the folder, nothing
 * from this process.
 */
import type { InProcessHost } from "../../engine/resource/in-process-providers";
import { Notices } from "../../provider/protocol/notices";
import { Session } from "../../provider/session/session";

/** What is shown to people, each notice under its resource. */
export const noticesFor = (host: InProcessHost): Notices =>
  new Notices((notice, urn, isWait) => void host.log("info", notice, urn, isWait));

export const sessionFor = (host: InProcessHost, log: (notice: string) => void, notices: Notices): Session =>
  new Session({
    environment: host.env,
    directory: host.programDirectory,
    engine: host.run,
    log,
    logWait: notices.writeWait,
  });
