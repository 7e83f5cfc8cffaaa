/** Errors as gRPC and the engine know them. */
import { Metadata, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { errorText } from "../provider/core/grpc-error-text";
import { InitFailure } from "../provider/core/init-failure";
import { structOf } from "./messages";

export interface ServiceError {
  code: status;
  /** Shown to people. */
  details: string;
  metadata?: Metadata;
}

export function serviceError(error: unknown): ServiceError {
  const details = errorText(error instanceof Error ? error.message : "unknown failure");
  if (!(error instanceof InitFailure)) return { code: status.UNKNOWN, details };
  return { code: status.UNKNOWN, details, metadata: describePartial(details, error) };
}

function describePartial(message: string, { id, properties, reasons }: InitFailure): Metadata {
  const failure = new ErrorResourceInitFailed();
  failure.setId(id);
  failure.setProperties(structOf(properties));
  failure.setReasonsList([...reasons]);
  const detail = new Any();
  detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const state = new Status();
  state.setCode(status.UNKNOWN);
  state.setMessage(message);
  state.addDetails(detail);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(state.serializeBinary()));
  return metadata;
}
