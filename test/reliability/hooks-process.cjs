// The hooks in a process of their own, as in the provider host of an engine: a message names the hook to call, and it can be
// killed at any moment. Plain JavaScript on the built package.
"use strict";
const { createHandlers } = require("../../dist/.modules/provider/hooks.js");
const { Session } = require("../../dist/.modules/provider/session/session.js");

const { directory, settings } = JSON.parse(process.env.HOOKS);
const session = new Session({ directory, environment: {}, log: () => undefined });
const handlers = createHandlers(session);
void handlers.webhook.configure({ config: { get: (key) => settings[key.replace(/^esign:/, "")] } });

process.on("message", async ({ n, handler, hook, args }) => {
  try {
    process.send({ n, result: await handlers[handler][hook](...args) });
  } catch (error) {
    const { message, id, properties } = error;
    process.send({ n, failure: { message, id, properties } });
  }
});
process.on("disconnect", () => process.exit());
process.send({});
