/** The receiver: for the server whose URL a webhook notifies. It imports neither Pulumi nor the client. */

export {
  expressReceiver,
  type FastifyPlugin,
  type FetchHandler,
  fastifyReceiver,
  fetchReceiver,
  type LambdaHandler,
  lambdaReceiver,
  nodeReceiver,
} from "./adapters";
export type { Handler, ReceiverOptions } from "./answer";
export type { RawBody } from "./body/raw-body";
export { ReceiverError, type ReceiverErrorCode } from "./errors";
export type { EventOf, NotificationEvent, UnknownEvent } from "./event";
export type { Action, EventDocument, EventField } from "./event-members";
export type { RequestHeaders } from "./headers";
export { type Received, type ReceiveOptions, receive } from "./receive";
export { type SignatureOptions, sign } from "./signature";
