import { createRequire } from "node:module";

/** The version of this package. By its name, since compiled and source files stand at different depths. */
export const { version } = createRequire(__filename)("pulumi-esign/package.json") as { version: string };
