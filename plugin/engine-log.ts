/** Shows notices in the display of an engine that runs in another process. */
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Notices } from "../provider/protocol/notices";

export class EngineLog extends Notices {
  readonly #client: EngineClient | undefined;

  /** Without an address, notices go to standard error. */
  constructor(readonly address: string | undefined) {
    const client = address === undefined ? undefined : new EngineClient(address, credentials.createInsecure());
    super((notice, urn, isWait) => send(client, notice, urn, isWait));
    this.#client = client;
  }

  close(): void {
    this.#client?.close();
  }
}

function send(client: EngineClient | undefined, notice: string, urn: string, isWait: boolean) {
  if (client === undefined) {
    if (notice !== "") process.stderr.write(`${notice}\n`);
    return undefined;
  }
  const request = new LogRequest();
  request.setSeverity(LogSeverity.INFO);
  request.setMessage(notice);
  request.setUrn(urn);
  request.setEphemeral(isWait);
  // A display is no reason to fail.
  return new Promise<void>((resolve) => client.log(request, () => resolve()));
}
