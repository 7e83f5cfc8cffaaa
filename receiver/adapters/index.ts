/** Adapters for servers, frameworks and platforms. None of them is imported. */
export { type FastifyPlugin, fastifyReceiver } from "./fastify";
export { type FetchHandler, fetchReceiver } from "./fetch";
export { type LambdaHandler, lambdaReceiver } from "./lambda";
export { expressReceiver, nodeReceiver } from "./node";
