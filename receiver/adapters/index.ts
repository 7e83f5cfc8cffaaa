/** Adapters for servers, frameworks and platforms. None of them is imported. */
export { fastifyReceiver } from "./fastify";
export { fetchReceiver } from "./fetch";
export { lambdaReceiver } from "./lambda";
export { expressReceiver, nodeReceiver } from "./node";
