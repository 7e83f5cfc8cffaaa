/** This package: found by its name, since compiled and source files stand at different depths. */
import { createRequire } from "node:module";
import { dirname } from "node:path";

const manifest = "pulumi-esign/package.json";
const fromHere = createRequire(__filename);

export const { version } = fromHere(manifest) as { version: string };

/** The folder that the package is installed in, with its templates and documentation. */
export const packageFolder = dirname(fromHere.resolve(manifest));
