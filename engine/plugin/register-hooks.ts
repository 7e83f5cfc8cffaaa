/**
 * Registers the resource hooks of a program. The program executes them itself: the engine calls it back by gRPC.
 *
 * Used for: RegisterResourceHook of ResourceMonitor; Callbacks, the client's side.
 */
import type { HookArguments, ResourceHook, ResourceHooks } from "../resource/hooks";
import { nameOf } from "../resource/urn";
import { CHANNEL_OPTIONS, type Sdk } from "./node-sdk";

// biome-ignore lint/suspicious/noExplicitAny: generated messages and clients, see node-sdk.ts
type Message = any;

/** Adds what a program registers to its hooks. @throws Error for a name that is taken */
export function registerResourceHook(request: Message, sdk: Sdk, hooks: ResourceHooks): void {
  const name: string = request.getName();
  if (name === "") throw new Error("a resource hook has no name");
  if (hooks.has(name)) throw new Error(`there are two resource hooks with the name "${name}"`);
  hooks.set(name, {
    onDryRun: request.getOnDryRun(),
    // Older SDKs do not have the option.
    ignoreErrors: request.getIgnoreErrors?.() ?? false,
    call: callerOf(request.getCallback(), sdk),
  });
}

function callerOf(callback: Message, sdk: Sdk): ResourceHook["call"] {
  const { CallbacksClient } = sdk.callbackClient();
  const { CallbackInvokeRequest } = sdk.callback();
  const client = new CallbacksClient(callback.getTarget(), sdk.grpc.credentials.createInsecure(), CHANNEL_OPTIONS);
  return async (args) => {
    const request = new CallbackInvokeRequest();
    request.setToken(callback.getToken());
    request.setRequest(hookRequest(args, sdk).serializeBinary());
    const response: Message = await new Promise((resolve, reject) =>
      client.invoke(request, (error: { details?: string } | null, answer: Message) =>
        error ? reject(new Error(error.details || String(error))) : resolve(answer),
      ),
    );
    const error = sdk.resource.ResourceHookResponse.deserializeBinary(response.getResponse_asU8()).getError();
    if (error !== "") throw new Error(error);
  };
}

function hookRequest(args: HookArguments, sdk: Sdk): Message {
  const struct = (values: object) => sdk.struct.Struct.fromJavaScript(values);
  const request = new sdk.resource.ResourceHookRequest();
  request.setUrn(args.urn);
  request.setId(args.id);
  request.setName(nameOf(args.urn));
  request.setType(args.type);
  if (args.newInputs) request.setNewInputs(struct(args.newInputs));
  if (args.oldInputs) request.setOldInputs(struct(args.oldInputs));
  if (args.newOutputs) request.setNewOutputs(struct(args.newOutputs));
  if (args.oldOutputs) request.setOldOutputs(struct(args.oldOutputs));
  return request;
}
