/** Runtimes and frameworks in which the receiver is tried, besides those that the package is developed with: a server for each. */
import { bun, handle, options, type Runtime, server } from "./runtime-server";

const node = `import { createServer } from "node:http";
const app = createServer(receiver).listen(0, "127.0.0.1", () => listening(app.address().port));`;
const deno = ["@deno", `${process.platform}-${process.arch}-glibc`, "deno"].join("/");

/** Wrangler's way to bundle: what a package requires of Node is imported. */
const workers = `import { build } from "esbuild";
import { Miniflare } from "miniflare";
const node = { name: "node", setup(build) {
  build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
    kind === "require-call" ? { path, namespace: "node" } : { path, external: true });
  build.onLoad({ filter: /.*/, namespace: "node" }, ({ path }) =>
    ({ contents: "import all from " + JSON.stringify(path) + "; module.exports = all;" }));
} };
await build({ entryPoints: ["worker.mjs"], bundle: true, format: "esm", plugins: [node], outfile: "bundle.mjs" });
const flare = new Miniflare({ port: 0, host: "127.0.0.1", modules: true, scriptPath: "bundle.mjs",
  compatibilityDate: "2026-01-01", compatibilityFlags: ["nodejs_compat"] });
console.log("port " + (await flare.ready).port);
`;

const nextPackages = [...["next@16", "react@19", "react-dom@19", "typescript@5", "@types/node@20", "@types/react@19"]];
const next = [
  [process.execPath, "node_modules/next/dist/bin/next", "build"],
  [process.execPath, "node_modules/next/dist/bin/next", "start", "-p", "0", "-H", "127.0.0.1"],
];
const nextPage = (config: string) => ({
  "pages/api/esign.ts": `import { nodeReceiver } from "pulumi-esign/receiver";
export default nodeReceiver(${handle}, ${options});
${config}`,
});

export const runtimes: Runtime[] = [
  {
    name: "Node",
    version: "24",
    packages: [`node-${process.platform}-${process.arch}@24`],
    files: { "server.mjs": server("nodeReceiver", node) },
    commands: [[`node-${process.platform}-${process.arch}/bin/node`, "server.mjs"]],
  },
  {
    name: "Express",
    version: "4",
    packages: ["express@4"],
    files: {
      "server.mjs": server(
        "expressReceiver",
        `import express from "express";
const app = express().all("/esign", receiver).listen(0, "127.0.0.1", () => listening(app.address().port));`,
      ),
    },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Fastify",
    version: "4",
    packages: ["fastify@4"],
    files: {
      "server.mjs": server(
        "fastifyReceiver",
        `import fastify from "fastify";
const app = fastify();
app.register(receiver);
await app.listen({ port: 0, host: "127.0.0.1" });
listening(app.server.address().port);`,
        `"/esign", `,
      ),
    },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Google Cloud Functions",
    version: "5",
    packages: ["@google-cloud/functions-framework@5"],
    files: {
      "server.mjs": server(
        "expressReceiver",
        `import { http } from "@google-cloud/functions-framework";
import { getTestServer } from "@google-cloud/functions-framework/testing";
http("esign", receiver);
const app = getTestServer("esign").listen(0, "127.0.0.1", () => listening(app.address().port));`,
      ),
    },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Bun",
    version: "1.4",
    packages: [`${bun.split("/bin")[0]}@1.4`],
    files: {
      "server.mjs": server(
        "fetchReceiver",
        `const app = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: receiver });
listening(app.port);`,
      ),
    },
    commands: [[bun, "server.mjs"]],
  },
  {
    name: "Bun with node:http",
    version: "1.4",
    packages: [`${bun.split("/bin")[0]}@1.4`],
    files: { "server.mjs": server("nodeReceiver", node) },
    commands: [[bun, "server.mjs"]],
  },
  {
    name: "Deno",
    version: "2.9",
    packages: [`${deno.slice(0, deno.lastIndexOf("/"))}@2.9`],
    files: {
      "server.mjs": server(
        "fetchReceiver",
        `Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => listening(port) }, receiver);`,
      ),
    },
    commands: [[deno, "run", "--no-prompt", "--allow-net=127.0.0.1", "server.mjs"]],
  },
  {
    name: "Cloudflare Workers (Miniflare)",
    version: "4",
    packages: ["miniflare@4", "esbuild"],
    files: {
      "worker.mjs": `${server("fetchReceiver", "")}\nexport default { fetch: receiver };\n`,
      "server.mjs": workers,
    },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Next",
    version: "16",
    packages: nextPackages,
    files: {
      "app/layout.tsx": "export default ({ children }: any) => <html><body>{children}</body></html>;\n",
      "app/esign/route.ts": `import { fetchReceiver } from "pulumi-esign/receiver";
export const POST = fetchReceiver(${handle}, ${options});
export const GET = POST;
`,
    },
    commands: next,
  },
  {
    name: "Next, pages/api",
    version: "16",
    packages: nextPackages,
    path: "/api/esign",
    files: nextPage("export const config = { api: { bodyParser: false } };\n"),
    defaults: { files: nextPage(""), form: 500, json: 500, says: /raw-body-missing/ },
    commands: next,
  },
];
