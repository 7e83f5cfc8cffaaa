/** A stack that the built-in engine deploys, in this process. */
import type { Stack } from "../../engine/index";
import type { DeployableStack } from "./deployable-stack";

export const builtInStack = (stack: Stack): DeployableStack => ({
  name: stack.name,
  project: stack.project.name,
  programDirectory: stack.project.programDirectory,
  engine: "built-in engine",
  verifiesDeletions: true,
  run: (operation, options) => stack.run(operation, options),
  resources: (options) => stack.resources(options),
  setConfig: (key, value) => stack.config.set(key, value),
  // It looks for what an interrupted operation has created.
  assertReady: async () => undefined,
  prepare: (operation, options) => stack.prepare(operation, options),
  close: () => stack.close(),
});
