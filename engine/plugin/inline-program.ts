/**
 * Lets an existing language runtime run the program: that of the Automation API, whose program is a function of the calling process.
 *
 * Used for: LanguageRuntime, the client's side.
 */

import { createRequire } from "node:module";
import path from "node:path";
import { messageOf } from "../errors";
import { type ProgramOptions, type ProgramResult, type RunningProgram, toVariables } from "./language-host";
import { CHANNEL_OPTIONS, type Sdk } from "./node-sdk";

type InlineProgramOptions = Pick<
  ProgramOptions,
  "sdk" | "project" | "stack" | "config" | "dryRun" | "parallel" | "address"
> & {
  /** `host:port` of the language runtime. */
  runtime: string;
};

export function startInlineProgram(options: InlineProgramOptions): RunningProgram {
  const { messages, services } = loadLanguage(options.sdk);
  const client = new services.LanguageRuntimeClient(
    options.runtime,
    options.sdk.grpc.credentials.createInsecure(),
    CHANNEL_OPTIONS,
  );
  const request = new messages.RunRequest();
  request.setProject(options.project.name);
  request.setStack(options.stack);
  request.setOrganization("organization");
  request.setPwd(options.project.programDirectory);
  request.setProgram(options.project.entryPoint);
  // The first argument is the address of the engine's own service.
  request.setArgsList([options.address]);
  request.setMonitorAddress(options.address);
  request.setDryrun(options.dryRun);
  request.setParallel(options.parallel);
  const { values, secretKeys } = toVariables(options.config);
  for (const [key, value] of Object.entries(values)) request.getConfigMap().set(key, value);
  request.setConfigsecretkeysList(secretKeys);
  let cancel: () => void = () => undefined;
  const result = new Promise<ProgramResult>((resolve) => {
    const call = client.run(request, (error: Error & { details?: string }, response: RunResponse | undefined) => {
      client.close();
      if (error) return resolve({ ok: false, message: error.details || messageOf(error) });
      const message = response?.getError() ?? "";
      // With `bail`, the program has reported the error.
      if (response?.getBail()) return resolve({ ok: false });
      resolve(message === "" ? { ok: true } : { ok: false, message });
    });
    cancel = () => call.cancel();
  });
  return { result, kill: () => cancel() };
}

interface RunResponse {
  getError(): string;
  getBail(): boolean;
}

/** The messages and services of the SDK that only this file needs. */
function loadLanguage({ directory }: Sdk) {
  const require = createRequire(path.join(directory, "index.js"));
  const own = (name: string) => require(path.join(directory, "proto", name));
  return { messages: own("language_pb.js"), services: own("language_grpc_pb.js") };
}
