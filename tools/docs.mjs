// The documentation site, from docs/.
//   npm run docs                  writes the generated parts of docs/reference, then builds the site into docs/.vitepress/dist; a dead
//                                 link fails the build
//   npm run docs -- --reference   only writes those parts
//   npm run docs -- --dev         writes them, then serves the site and shows what is edited at once
import { join } from "node:path";
import { install, root, run, say } from "./prepare.mjs";

const [dev, referenceOnly] = ["--dev", "--reference"].map((option) => process.argv.includes(option));

await install();
const generated = await run(process.execPath, ["--import", "tsx", join(root, "tools/reference/index.ts")]);
if (generated.code !== 0 || referenceOnly) process.exit(generated.code);
const vitepress = join(root, "node_modules/vitepress/bin/vitepress.js");
const { code } = await run(process.execPath, [vitepress, dev ? "dev" : "build", "docs"]);
if (code === 0 && !dev) say("docs/.vitepress/dist/index.html: any web server can serve the folder.");
process.exit(code);
