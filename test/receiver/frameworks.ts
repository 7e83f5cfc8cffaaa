/** Frameworks whose defaults act before the receiver, or that call it in a way of their own: for each a server, as its documentation has it. */
import { bun, type Runtime, server } from "./runtime-server";

const current = `node-${process.platform}-${process.arch}`;
/** For what needs a newer Node than the package does. */
const node24 = { name: `${current}/bin/node`, packages: [`${current}@24`] };
const node20 = { name: process.execPath, packages: [] };

const listener = (from: string) => `import { createServer } from "node:http";
${from}
const app = createServer(handler).listen(0, "127.0.0.1", () => console.log("port " + app.address().port));
`;
const modules = { "package.json": '{ "private": true, "type": "module" }\n' };
const route = server("fetchReceiver", "");

/** `settings`: what goes into the configuration. */
function svelteKit(settings: string, major: number): Record<string, string> {
  const adapter = 'import adapter from "@sveltejs/adapter-node";\n';
  const sveltekit = 'import { sveltekit } from "@sveltejs/kit/vite";\n';
  return {
    ...modules,
    "src/app.html": "<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n",
    "src/routes/esign/+server.js": `${route}export { receiver as POST, receiver as GET };\n`,
    ...(major === 2
      ? {
          "svelte.config.js": `${adapter}export default { kit: { adapter: adapter()${settings} } };\n`,
          "vite.config.js": `${sveltekit}export default { plugins: [sveltekit()] };\n`,
        }
      : {
          "vite.config.js": `${adapter}${sveltekit}export default { plugins: [sveltekit({ adapter: adapter()${settings} })] };\n`,
        }),
    "server.js": listener(
      'process.env.BODY_SIZE_LIMIT = "1M";\nconst { handler } = await import("./build/handler.js");',
    ),
  };
}

function astro(settings: string): Record<string, string> {
  return {
    ...modules,
    "astro.config.mjs": `import node from "@astrojs/node";
export default { adapter: node({ mode: "middleware" })${settings} };
`,
    "src/pages/esign.js": `${route}export const prerender = false;\nexport { receiver as POST, receiver as GET };\n`,
    "server.js": listener('import { handler } from "./dist/server/entry.mjs";'),
  };
}

/** `packages`: of Nest; `code`: what is done with `app` before it listens; `decorated`: its only controller. */
const nest = (create: string, code: string, decorated = "", imports = "") => ({
  "server.mjs": server(
    imports.includes("fastifyReceiver") ? "fastifyReceiver" : "expressReceiver",
    `import "reflect-metadata";
import * as nest from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
class Esign { receive(request, response) { return receiver(request, response); } }
${decorated}
class AppModule {}
nest.Module({ controllers: [${decorated ? "Esign" : ""}] })(AppModule);
const app = await NestFactory.create(AppModule, ${create});
${code}
await app.listen(0, "127.0.0.1");
listening(app.getHttpServer().address().port);`,
    imports.includes("fastifyReceiver") ? '"/esign", ' : "",
  ),
});
const nestPackages = [
  ..."common core platform-express platform-fastify".split(" ").map((part) => `@nestjs/${part}@11`),
  "reflect-metadata@0.2",
  "rxjs@7",
];
/** What TypeScript makes of the decorators of a controller with one method. */
const controller = `nest.Controller()(Esign);
nest.All("esign")(Esign.prototype, "receive", Object.getOwnPropertyDescriptor(Esign.prototype, "receive"));
nest.Req()(Esign.prototype, "receive", 0);
nest.Res()(Esign.prototype, "receive", 1);`;
const quiet = 'logger: ["error"]';

const koa = (before: string) => ({
  "server.mjs": server(
    "nodeReceiver",
    `import Koa from "koa";
import { bodyParser } from "@koa/bodyparser";
const app = new Koa();
${before}
app.use(({ path, req, res }, next) => (path === "/esign" ? receiver(req, res) : next()));
const http = app.listen(0, "127.0.0.1", () => listening(http.address().port));`,
  ),
});

const hapi = (route: string) => ({
  "server.mjs": server(
    "nodeReceiver",
    `import Hapi from "@hapi/hapi";
const app = Hapi.server({ port: 0, host: "127.0.0.1" });
const handler = async ({ raw: { req, res } }, h) => (await receiver(req, res), h.abandon);
app.route({ method: "GET", path: "/esign", handler });
app.route({ method: "POST", path: "/esign", handler${route} });
await app.start();
listening(app.info.port);`,
  ),
});

const hono = (before: string) => ({
  "server.mjs": server(
    "fetchReceiver",
    `import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { serve } from "@hono/node-server";
const app = new Hono();
${before}
app.all("/esign", receiver);
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => listening(port));`,
  ),
});

const nitroRoute = `${route}export default defineEventHandler((event) => receiver(toWebRequest(event), event));\n`;

export const frameworks: Runtime[] = [
  ...([2, 3] as const).map((major): Runtime => {
    const { name, packages } = major === 2 ? node20 : node24;
    const trusted = ', csrf: { trustedOrigins: ["*"] }';
    const plugins =
      major === 2 ? ["@sveltejs/vite-plugin-svelte@6", "vite@7"] : ["@sveltejs/vite-plugin-svelte@7", "vite@8"];
    return {
      name: "SvelteKit",
      version: String(major),
      packages: [`@sveltejs/kit@${major}`, `@sveltejs/adapter-node@${major + 3}`, "svelte@5", ...plugins, ...packages],
      files: svelteKit(trusted, major),
      defaults: {
        files: svelteKit("", major),
        form: 403,
        json: 200,
        says: /Cross-site POST form submissions are forbidden/,
      },
      commands: [
        [name, "node_modules/vite/bin/vite.js", "build"],
        [name, "server.js"],
      ],
    };
  }),
  ...([5, 7] as const).map((major): Runtime => {
    const { name, packages } = major === 5 ? node20 : node24;
    return {
      name: "Astro",
      version: String(major),
      packages: [`astro@${major}`, `@astrojs/node@${major === 5 ? 9 : 11}`, ...packages],
      files: astro(", security: { checkOrigin: false }"),
      defaults: { files: astro(""), form: 403, json: 200, says: /Cross-site POST form submissions are forbidden/ },
      commands: [
        [name, major === 5 ? "node_modules/astro/astro.js" : "node_modules/astro/bin/astro.mjs", "build"],
        [name, "server.js"],
      ],
    };
  }),
  {
    name: "Nest with Express",
    version: "11",
    packages: nestPackages,
    files: nest(`{ ${quiet} }`, 'app.use("/esign", receiver);'),
    defaults: { files: nest(`{ ${quiet} }`, "", controller), form: 500, json: 500, says: /raw-body-missing/ },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Nest with Express, in a controller",
    version: "11",
    packages: nestPackages,
    files: nest(
      `{ ${quiet}, rawBody: true }`,
      'for (const type of ["json", "urlencoded"]) app.useBodyParser(type, { limit: "1mb", extended: true });',
      controller,
    ),
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Nest with Fastify",
    version: "11",
    packages: nestPackages,
    files: nest(`new FastifyAdapter(), { ${quiet} }`, "await app.register(receiver);", "", "fastifyReceiver"),
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Koa",
    version: "3",
    packages: ["koa@3", "@koa/bodyparser@6"],
    files: koa(""),
    defaults: { files: koa("app.use(bodyParser());"), form: 500, json: 500, says: /raw-body-missing/ },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "hapi",
    version: "21",
    packages: ["@hapi/hapi@21"],
    files: hapi(', options: { payload: { parse: false, output: "stream" } }'),
    defaults: { files: hapi(""), form: 500, json: 500, says: /raw-body-missing/ },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Hono",
    version: "4",
    packages: ["hono@4", "@hono/node-server@2"],
    files: hono(""),
    defaults: { files: hono("app.use(csrf());"), form: 403, json: 200, says: /Forbidden/ },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Elysia",
    version: "1",
    packages: ["elysia@1", `${bun.split("/bin")[0]}@1.4`],
    files: {
      "server.mjs": server(
        "fetchReceiver",
        `import { Elysia } from "elysia";
const app = new Elysia().all("/esign", receiver).listen({ port: 0, hostname: "127.0.0.1" }, ({ port }) => listening(port));`,
      ),
    },
    commands: [[bun, "server.mjs"]],
  },
  {
    name: "h3",
    version: "1",
    packages: ["h3@1"],
    files: {
      "server.mjs": server(
        "fetchReceiver",
        `import { createServer } from "node:http";
import { createApp, defineEventHandler, toNodeListener, toWebRequest } from "h3";
const h3 = createApp().use("/esign", defineEventHandler((event) => receiver(toWebRequest(event), event)));
const app = createServer(toNodeListener(h3)).listen(0, "127.0.0.1", () => listening(app.address().port));`,
      ),
    },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "h3",
    version: "2",
    packages: ["h3@2"],
    files: {
      "server.mjs": server(
        "fetchReceiver",
        `import { H3, serve } from "h3";
const h3 = new H3().all("/esign", receiver);
const app = serve(h3, { port: 0, hostname: "127.0.0.1", silent: true });
await app.ready();
listening(new URL(app.url).port);`,
      ),
    },
    commands: [[process.execPath, "server.mjs"]],
  },
  {
    name: "Nitro",
    version: "2",
    packages: ["nitropack@2"],
    files: {
      "routes/esign.ts": nitroRoute,
      "server.mjs": listener('import { listener as handler } from "./.output/server/index.mjs";'),
    },
    commands: [
      [process.execPath, "node_modules/nitropack/dist/cli/index.mjs", "build", "--preset", "node-listener"],
      [process.execPath, "server.mjs"],
    ],
  },
  {
    name: "Nuxt",
    version: "4",
    packages: ["nuxt@4"],
    files: {
      "server/routes/esign.ts": nitroRoute,
      "app/app.vue": "<template><p>Hello</p></template>\n",
      "server.mjs": listener('import { listener as handler } from "./.output/server/index.mjs";'),
    },
    commands: [
      [process.execPath, "node_modules/nuxt/bin/nuxt.mjs", "build", "--preset", "node-listener"],
      [process.execPath, "server.mjs"],
    ],
  },
];
