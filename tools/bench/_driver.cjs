// The engine in a process of its own: `_driver.cjs <verb> --stack <name>`.
"use strict";
const { openProject } = require("../../dist/engine/index.js");

async function main([verb, , name]) {
  const project = await openProject({ dir: process.cwd() });
  if (verb === "init") return void (await project.initStack(name));
  const stack = await project.openStack(name);
  const result = await stack.run(verb === "up" ? "update" : verb, {
    onEvent: (event) => {
      if (event.type === "diagnostic") console.log(`${event.severity}: ${event.message}`);
      else if (event.type === "end") console.log(JSON.stringify(event.result));
    },
  });
  console.log(JSON.stringify({ cpu: process.cpuUsage(), maxRss: process.resourceUsage().maxRSS }));
  process.exitCode = result.ok ? 0 : 1;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(`error: ${error.stack}`);
  process.exitCode = 1;
});
