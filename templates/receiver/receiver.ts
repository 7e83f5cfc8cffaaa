import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeReceiver, type Received } from "pulumi-esign/receiver";

const unknown = process.argv.slice(2).filter((option) => option !== "--unsigned");
// With a misspelt --unsigned it would wait for secrets.
if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(" ")}; there is only --unsigned`);

// The stack's output `secrets`, from standard input: in neither a file nor a variable.
const secrets = process.argv.includes("--unsigned") ? false : JSON.parse(readFileSync(0, "utf8"));

// In production a table, which survives a restart.
const handled = new Set<string>();

function handle({ event, idempotencyKey }: Received): void {
  if (handled.has(idempotencyKey)) return;
  handled.add(idempotencyKey);
  switch (event.action) {
    case "signed-envelope-complete":
      console.log(`${event.envelope_fingerprint} is signed: ${event.envelope_download}`);
      break;
    case "rejected-envelope":
      console.log(`${event.contact_name} rejected ${event.envelope_fingerprint}`);
      break;
    default:
      console.log(`ignored: ${event.action === "unknown" ? event.unknown_action : event.action}`);
  }
}

const server = createServer(nodeReceiver(handle, { secrets }));
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/esign`);
});
