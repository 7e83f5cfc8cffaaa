// Compiles the package into dist/. `--clean` begins with an empty folder, so that a package holds nothing stale.
import { build, install } from "./prepare.mjs";

await install();
await build({ clean: process.argv.includes("--clean") });
