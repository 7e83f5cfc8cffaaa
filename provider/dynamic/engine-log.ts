/**
 * Shows waits of dynamic providers in the engine's display. What such a provider prints would stay there, so waits go through the
 * engine's log as status lines. The SDK's host process has the connection for it, but no function.
 */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { printNotice } from "../reporting/reporting";
import { endAfterLastWait } from "../reporting/wait-notices";
import type { EngineAddress } from "../session/exit-with-engine";

/**
 * Shows what is waited for, until something else happens or an empty notice comes.
 * @param script the SDK's host, which has loaded the libraries
 */
export function showWaitsIn(engine: EngineAddress, script: string): (notice: string) => void {
  let send: ((notice: string) => void) | undefined;
  return endAfterLastWait((notice) => {
    try {
      send ??= connect(engine, script);
      send(notice);
    } catch {
      // A display is no reason to fail.
      if (notice !== "") printNotice(notice);
    }
  });
}

function connect({ host, port }: EngineAddress, script: string): (notice: string) => void {
  const load = createRequire(realpathSync(script));
  const { credentials }: typeof import("@grpc/grpc-js") = load("@grpc/grpc-js");
  const services: typeof import("@pulumi/pulumi/proto/engine_grpc_pb") = load("@pulumi/pulumi/proto/engine_grpc_pb");
  const messages: typeof import("@pulumi/pulumi/proto/engine_pb") = load("@pulumi/pulumi/proto/engine_pb");
  const client = new services.EngineClient(`${host}:${port}`, credentials.createInsecure());
  return (notice) => {
    const request = new messages.LogRequest();
    request.setSeverity(messages.LogSeverity.INFO);
    request.setMessage(notice);
    request.setEphemeral(true);
    client.log(request, () => undefined);
  };
}
