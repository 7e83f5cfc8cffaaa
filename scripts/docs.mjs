// The documentation site, from docs/.
//   npm run docs            builds it into docs/.vitepress/dist; a dead link fails the build
//   npm run docs -- --dev   serves it, and shows what is edited at once
import { join } from "node:path";
import { install, root, run, say } from "./house.mjs";

const dev = process.argv.includes("--dev");

await install();
const vitepress = join(root, "node_modules/vitepress/bin/vitepress.js");
const { code } = await run(process.execPath, [vitepress, dev ? "dev" : "build", "docs"]);
if (code === 0 && !dev) say("docs/.vitepress/dist/index.html: any web server can serve the folder.");
process.exit(code);
