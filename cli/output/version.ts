/**
 * The version of this package. Its package.json is found by the package's name, since compiled files and sources have different depths.
 */
import { createRequire } from "node:module";
import { dirname } from "node:path";

const manifest = "pulumi-esign/package.json";
const fromHere = createRequire(__filename);

const { version, repository } = fromHere(manifest) as { version: string; repository?: unknown };

export { version };

/** Whether a registry has this build: only the workflow that publishes names a repository. */
export const isReleased = repository !== undefined;

/** The folder that the package is installed in, with its templates and documentation. */
export const packageFolder = dirname(fromHere.resolve(manifest));
