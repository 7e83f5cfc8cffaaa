// Which projects are made from nothing. Not every combination: each value of each column at least once, and each template in both
// module formats.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

/**
 * The templates of projects; that of a policy pack has no Pulumi.yaml. `automation` is the last: which loader Pulumi uses has no meaning
 * for it, so its turns are not those of type stripping.
 */
export const templates = readdirSync(join(root, "templates"))
  .filter((name) => existsSync(join(root, "templates", name, "Pulumi.yaml")))
  .sort()
  .sort((a, b) => Number(a === "automation") - Number(b === "automation"));

/** What loads the program's TypeScript: Pulumi's own ts-node, tsx (what `init --module esm` sets), or Node itself. */
const runners = { commonjs: "ts-node", esm: "tsx" };

/** @type {[module: string, manager: string, others?: { node?: string, runner?: string, pulumi?: string }][]} */
const settings = [
  ["commonjs", "npm"],
  ["esm", "npm"],
  ["commonjs", "pnpm"],
  ["esm", "yarn pnp"],
  ["commonjs", "yarn pnp"],
  ["esm", "pnpm"],
  ["commonjs", "yarn"],
  ["commonjs", "pnpm 9", { node: "oldest" }],
  ["commonjs", "yarn 1", { node: "oldest" }],
  ["esm", "yarn 1", { node: "newest" }],
  ["esm", "yarn", { node: "newest" }],
  ["commonjs", "npm", { node: "oldest", pulumi: "oldest" }],
  ["esm", "npm", { node: "oldest", pulumi: "oldest" }],
  ["commonjs", "npm", { node: "newest", pulumi: "newest", runner: "type stripping" }],
  ["esm", "npm", { node: "newest", pulumi: "newest", runner: "type stripping" }],
];

const scenario = (template, [module, manager, others = {}]) => {
  const { node = "current", pulumi = "range", runner = runners[module] } = others;
  return { template, module, manager, runner, node, pulumi };
};

/** The templates take turns in each module format. */
function cover(list) {
  const turns = { commonjs: 0, esm: 0 };
  return list.map((setting) => scenario(templates[turns[setting[0]]++ % templates.length], setting));
}

export const quick = cover(settings.slice(0, 2));
export const full = cover(settings);

/** `pulumi new` with each template, where the Pulumi CLI is installed. */
export const withPulumi = templates.map((template) => ({
  template,
  module: "commonjs",
  manager: "npm",
  runner: "ts-node",
  node: "current",
  pulumi: "pulumi new",
}));

export const describe = ({ template, module, manager, runner, node, pulumi }) => [
  template,
  module,
  manager,
  runner,
  `Node ${node}`,
  pulumi === "pulumi new" ? pulumi : `SDK ${pulumi}`,
];
