// What a careful person writes in an hour: each object is looked up, and written if it differs. Compared in comparison.ts.
import { readFileSync } from "node:fs";

const { ESIGN_BASE_URL: base, ESIGN_API_KEY: key } = process.env;
const desired = JSON.parse(readFileSync("desired.json", "utf8"));

async function call(method, path, body) {
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${key}:x`)}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const differs = (wanted, current) => Object.keys(wanted).some((name) => wanted[name] !== current[name]);

const branding = await call("GET", "/branding");
if (differs(desired.branding, branding)) await call("PUT", "/branding", desired.branding);

const { branding_emails: emails } = await call("GET", "/branding/emails");
for (const [type, email] of Object.entries(desired.emails)) {
  const current = emails.find((one) => one.branding_email_type === type);
  if (differs(email, current)) await call("PUT", `/branding/emails/${type}`, email);
}

const { webhooks } = await call("GET", "/webhooks?limit=50");
for (const webhook of desired.webhooks) {
  if (!webhooks.some((one) => !differs(webhook, one))) await call("POST", "/webhooks", webhook);
}
