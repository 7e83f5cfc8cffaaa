/**
 * The client against bare undici `request` on the same work: 1,000 calls at concurrency 50, creating and reading webhooks.
 * Prints CPU and wall ratios; the service runs in a process of its own, so that its CPU does not count. Validation, rate
 * limit, retries, redaction and hooks cost about 20 µs a call, nearly as much as undici.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Pool } from "undici";
import { connect } from "../../sdk";

const calls = 1000;
const concurrency = 50;
const rounds = 15;
const key = "bench-key-0123456789abcdef";
const limit = 2.5;

/** Answers every request at once, with what it would take to understand it. */
const service = `
const answer = (o) => JSON.stringify({ http: 200, message: "ok", href: "https://service.example/v1/webhooks/1", ...o });
const hook = { webhook_id: "1", webhook_type: "all", webhook_url: "https://receiver.example/hooks/1", webhook_created: "2024-01-01T00:00:00+0000" };
const body = answer(hook);
require("node:http").createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body));
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
`;

interface Cost {
  cpu: number;
  wall: number;
}

async function measure(work: () => Promise<void>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  return { cpu: (used.user + used.system) / 1000, wall: performance.now() - wall };
}

async function inParallel(one: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < calls) await one(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

async function main(): Promise<void> {
  const server = spawn(process.execPath, ["-e", service], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = (await once(server.stdout, "data")) as [Buffer];
    const origin = `http://127.0.0.1:${String(port).trim()}`;
    const pool = new Pool(origin);
    const client = connect({ baseUrl: origin, apiKey: key, maxConcurrency: concurrency });
    const authorization = `Basic ${Buffer.from(`${key}:x`).toString("base64")}`;
    const bareHeaders = { authorization, accept: "application/json" };
    const formHeaders = { ...bareHeaders, "content-type": "application/x-www-form-urlencoded" };
    const urlOf = (i: number) => `https://receiver.example/hooks/${i}`;

    const bare = {
      create: async (i: number) => {
        const body = new URLSearchParams({ webhook_type: "all", webhook_url: urlOf(i) }).toString();
        const answer = await pool.request({ method: "POST", path: "/v1/webhooks", headers: formHeaders, body });
        return await answer.body.json();
      },
      get: async (i: number) => {
        const answer = await pool.request({ method: "GET", path: `/v1/webhooks/${i + 1}`, headers: bareHeaders });
        return await answer.body.json();
      },
    };
    const ours = {
      create: (i: number) => client.webhooks.create({ webhook_type: "all", webhook_url: urlOf(i) }),
      get: (i: number) => client.webhooks.get({ webhook_id: i + 1 }),
    };

    for (const work of ["create", "get"] as const) {
      const costs = { bare: [] as Cost[], ours: [] as Cost[] };
      // Alternated, after warming up, so that a busy machine hits both alike.
      for (let round = -3; round < rounds; round++) {
        const b = await measure(() => inParallel(bare[work]));
        const o = await measure(() => inParallel(ours[work]));
        if (round < 0) continue;
        costs.bare.push(b);
        costs.ours.push(o);
      }
      const cpu = (list: Cost[]) => median(list.map((c) => c.cpu));
      const wall = (list: Cost[]) => median(list.map((c) => c.wall));
      const ratio = cpu(costs.ours) / cpu(costs.bare);
      const round2 = (n: number) => Math.round(n * 100) / 100;
      console.log(
        JSON.stringify({
          bench: `client.${work}`,
          calls,
          concurrency,
          cpuMs: { bare: round2(cpu(costs.bare)), client: round2(cpu(costs.ours)) },
          cpuRatio: round2(ratio),
          wallRatio: round2(wall(costs.ours) / wall(costs.bare)),
          limit,
          ok: ratio <= limit,
        }),
      );
      if (ratio > limit) process.exitCode = 1;
    }
    await pool.close();
  } finally {
    server.kill();
  }
}

void main();
