// What a careful person writes in an hour: `phases-script.mjs <phase>`, with the ids in a file, and 50 requests at once.
import { readFileSync, writeFileSync } from "node:fs";

const { ESIGN_BASE_URL: base, ESIGN_API_KEY: key } = process.env;
const urls = JSON.parse(readFileSync("urls.json", "utf8"));
const read = () => JSON.parse(readFileSync("ids.json", "utf8"));

async function call(method, path, body) {
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${key}:x`)}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function forEach(items, work) {
  const results = [];
  const rest = [...items.entries()];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) results[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  return results;
}

const webhook = (url) => ({ webhook_type: "all", webhook_url: url });

const phases = {
  async create() {
    const created = await forEach(urls, (url) => call("POST", "/webhooks", webhook(url)));
    writeFileSync("ids.json", JSON.stringify(created.map(({ webhook_id: id }) => id)));
  },
  async "no change"() {
    const { webhooks } = await call("GET", "/webhooks?limit=50");
    if (webhooks.some(({ webhook_url: url }) => !urls.includes(url))) throw new Error("there is a change");
  },
  update: () => forEach(read(), (id, i) => call("PUT", `/webhooks/${id}`, webhook(urls[i]))),
  refresh: () => forEach(read(), (id) => call("GET", `/webhooks/${id}`)),
  destroy: () => forEach(read(), (id) => call("DELETE", `/webhooks/${id}`)),
};

await phases[process.argv[2]]();
