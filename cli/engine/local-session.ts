/** A session of the provider in the engine's process, as the run has it: nothing of it is this process's own. */
import type { LocalHost } from "../../engine/resource/local-providers";
import { Notices } from "../../provider/protocol/notices";
import { Session } from "../../provider/session/session";

/** What is shown to people, each notice under its resource. */
export const noticesFor = (host: LocalHost): Notices =>
  new Notices((notice, urn, isWait) => void host.log("info", notice, urn, isWait));

export const sessionFor = (host: LocalHost, log: (notice: string) => void, notices: Notices): Session =>
  new Session({
    environment: host.env,
    directory: host.programDirectory,
    run: host.run,
    log,
    logWait: notices.writeWait,
  });
