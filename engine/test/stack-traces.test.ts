import { expect, test } from "vitest";
import { preloadArguments } from "../preloads";
import { userFramesOnly } from "../stack-traces";

test("frames of Node and of packages are left out, the user's stay", () => {
  expect(
    userFramesOnly(
      "Error: no\n    at make (/home/me/index.ts:4:9)\n    at Module._compile (node:internal/modules:1:2)\n    at run (/home/me/node_modules/@pulumi/pulumi/run.js:1:1)\n",
    ),
  ).toBe("Error: no\n    at make (/home/me/index.ts:4:9)");
  const [, own] = preloadArguments("no-promise-stacks");
  expect(userFramesOnly(`Error: no\n    at make (/home/me/index.ts:4:9)\n    at Object.apply (${own}:13:21)`)).toBe(
    "Error: no\n    at make (/home/me/index.ts:4:9)",
  );
  expect(userFramesOnly("two lines\nand no frame\n")).toBe("two lines\nand no frame\n");
});

test("a module that is not found is named with the file that asks for it, once", () => {
  const error = `Error: Cannot find module './nowhere'
Require stack:
- /home/me/index.ts
- /home/me/node_modules/@pulumi/pulumi/cmd/run/run.js
    at Object.<anonymous> (/home/me/index.ts:2:1)
    at Module._compile (node:internal/modules/cjs/loader:1364:14) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [
    '/home/me/index.ts',
    '/home/me/node_modules/@pulumi/pulumi/cmd/run/run.js'
  ]
}`;
  expect(userFramesOnly(error)).toBe(`Error: Cannot find module './nowhere'
Require stack:
- /home/me/index.ts
    at Object.<anonymous> (/home/me/index.ts:2:1)`);
});
