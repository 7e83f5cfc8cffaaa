/** The status page at `/`: data and requests. Plain HTML that works without its script; the script keeps it up to date. */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { escapeHtml as e } from "../../sdk/text/html-escape";
import type { Account, Envelope } from "../domain/data-schema";
import { emailContent } from "../domain/emails/default-emails";
import type { SentEmail } from "../domain/emails/sent-emails";
import type { Settings } from "../domain/emulator-settings";
import { emailTypesOf } from "../domain/enums-by-edition";
import { mostRows } from "../domain/limits";
import type { LogEntry } from "../http/request-log";
import { write } from "../http/send-response";
import { deliveryRows, testEvents, webhookState } from "./notifications";
import { type PageContext, pageHeaders } from "./page-context";
import { script, style } from "./status-assets";
import { badge, button, fold, type Html, table, time } from "./status-markup";

const envelopeTone: Record<Envelope["status"], string> = {
  draft: "quiet",
  processing: "quiet",
  sent: "busy",
  signed: "good",
  cancelled: "bad",
  expired: "bad",
  failed: "bad",
  rejected: "bad",
  verify: "busy",
  qes_in_progress: "busy",
};

function envelopeActions({ fingerprint, status }: Envelope): Html {
  const path = `/envelopes/${fingerprint}`;
  if (status === "sent") return button("Sign", "POST", `${path}/sign`) + button("Decline", "POST", `${path}/reject`);
  if (status === "qes_in_progress")
    return button("Identify", "POST", `${path}/identify`) + button("Fail to", "POST", `${path}/misidentify`);
  return status === "draft" || status === "processing" ? button("Let fail", "POST", `${path}/fail`) : "";
}

function envelopes(account: Account): Html {
  const newest = account.envelopes.slice(-mostRows).toReversed();
  const rows = newest.map((envelope) => [
    `<strong>${e(envelope.title)}</strong><br><small>${e(envelope.parties.map((p) => `${p.name}: ${p.status}`).join(", "))}${envelope.password === undefined ? "" : `; password ${e(envelope.password)}`}</small>`,
    badge(envelope.status, envelopeTone[envelope.status]),
    time(envelope.created),
    envelopeActions(envelope),
  ]);
  return table(["Envelope", "Status", "Created", ""], rows, account.envelopes.length);
}

function webhooks(account: Account, settings: Settings): Html {
  const rows = account.webhooks
    .slice(0, mostRows)
    .map((hook) => [e(hook.id), e(hook.type), `<code>${e(hook.url)}</code>`, time(hook.created), webhookState(hook)]);
  return table(["ID", "Type", "URL", "Created", ""], rows, account.webhooks.length) + testEvents(account, settings);
}

function emails(account: Account, settings: Settings): Html {
  const rows = emailTypesOf(settings).map((type) => {
    const template = emailContent(account, type);
    return [
      `<a href="/_control/accounts/${account.id}/emails/${type}" target="_blank">${type}</a>`,
      e(template.subject),
      account.emails[type] ? badge("customized", "busy") : badge("default", "quiet"),
      time(template.updated),
    ];
  });
  return table(["Template", "Subject", "", "Updated"], rows);
}

function accountCard(account: Account, settings: Settings): Html {
  const marks = [
    account.partner ? badge("partner", "busy") : "",
    account.parent ? badge("subaccount", "quiet") : "",
    account.suspended ? badge("suspended", "bad") : "",
  ].join(" ");
  const { id } = account;
  const { logo } = account.branding;
  const colour = e(account.branding.colour);
  return `<section class="card">
<header>${logo === null ? "" : `<img src="${e(logo)}" alt="Logo" width="80" height="24">`}
<h3>${e(account.name)} ${marks}</h3>
<svg class="swatch" width="14" height="14"><rect width="14" height="14" rx="3" fill="${colour}"/></svg><code>${colour}</code></header>
<p class="facts">ID ${e(id)} · ${e(account.email)} · key fingerprint <code>${keyFingerprint(account.key)}</code> <button type="button" data-key="${e(id)}">show key</button></p>
${fold(`w-${id}`, `Webhooks <b>${account.webhooks.length}</b>`, webhooks(account, settings))}
${fold(`e-${id}`, "Email templates", emails(account, settings))}
${fold(`v-${id}`, `Envelopes <b>${account.envelopes.length}</b>`, envelopes(account), account.envelopes.length > 0)}
</section>`;
}

const tone = (status: number) => (status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good");

function requestRows(log: readonly LogEntry[], names: ReadonlyMap<string, string>): Html {
  const rows = log
    .slice(-mostRows)
    .toReversed()
    .map((entry) => [
      `<small>${e(entry.time.slice(11, 19))}</small>`,
      `<b>${e(entry.method)}</b> <code>${e(entry.path)}</code>`,
      badge(entry.status === 0 ? "no response" : String(entry.status), tone(entry.status)) +
        (entry.code ? ` ${entry.code}` : ""),
      entry.fault ? badge(entry.fault, "warn") : "",
      e(entry.account ? (names.get(entry.account) ?? entry.account) : entry.key ? "unknown key" : "no key"),
      `${entry.elapsed} ms`,
    ]);
  return table(["Time", "Request", "Response", "Fault", "Account", ""], rows, log.length);
}

function emailRows(sentEmails: readonly SentEmail[]): Html {
  const newest = sentEmails.slice(-mostRows).toReversed();
  if (newest.length === 0) return '<p class="none">None.</p>';
  return newest
    .map((email) =>
      fold(
        `l-${email.id}`,
        `${time(email.date)} <strong>${e(email.subject)}</strong> to ${e(email.to)} ${badge(email.type, "quiet")}`,
        `<p class="facts">From ${e(email.from)} · <a href="/_control/emails/${e(email.id)}" target="_blank">open</a></p>
<iframe loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/_control/emails/${e(email.id)}" title="${e(email.subject)}"></iframe><pre>${e(email.plain)}</pre>`,
      ),
    )
    .join("");
}

function faults({ emulator }: PageContext): Html {
  const list = emulator.settings.faults;
  if (list.length === 0) return "";
  const items = list.map((fault) => `<li><code>${e(JSON.stringify(fault))}</code></li>`).join("");
  return `<section class="card warn"><header><h3>Injected faults</h3>${button("Remove all", "DELETE", "/faults")}</header><ul>${items}</ul></section>`;
}

const HOUR = 3600_000;

/** Sends the page; with `partial`, only the part that the script replaces. */
export function statusPage(page: PageContext, response: ServerResponse, partial: boolean): void {
  const nonce = randomBytes(12).toString("base64");
  const html = partial ? main(page) : whole(page, nonce);
  const rules = ["form-action 'none'", "frame-ancestors 'none'"];
  write(response, 200, html, "text/html; charset=utf-8", pageHeaders(nonce, rules));
}

function whole(page: PageContext, nonce: string): Html {
  const { url, file } = page.emulator;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>esign emulator</title><link rel="icon" href="/logos/standard.png"><style nonce="${nonce}">${style}</style></head>
<body><div class="top"><h1>esign emulator</h1>
<p>${e(url)} · data ${file === undefined ? "in memory" : `in <code>${e(file)}</code>`} · <a href="/_control">controls</a> · <label><input type="checkbox" id="live" checked> live</label></p></div>
${main(page)}
<p id="message" role="status"></p><script nonce="${nonce}">${script}</script></body></html>
`;
}

function main(page: PageContext): Html {
  const { emulator, context } = page;
  const { accounts } = context.data;
  const names = new Map(accounts.map((account) => [account.id, account.name]));
  const requests = emulator.requests();
  const sentEmails = emulator.sentEmails();
  const deliveries = emulator.deliveries();
  const counts = emulator.counts();
  const shown = accounts.slice(0, mostRows);
  const clock = [1, 13, 24].map((hours) => button(`+${hours} h`, "POST", "/clock", { advance: hours * HOUR })).join("");
  return `<main>
<p class="facts" id="summary">Time ${time(context.now.toISOString())} ${clock} · ${counts.total} requests, ${sentEmails.length} emails, ${deliveries.length} notifications</p>
${faults(page)}
<div class="columns"><div><h2>Accounts <b>${accounts.length}</b></h2>
${shown.map((account) => accountCard(account, emulator.settings)).join("\n")}
${accounts.length > mostRows ? `<p class="none">… and ${accounts.length - mostRows} more.</p>` : ""}</div>
<div><h2>Requests <b>${counts.total}</b></h2><section class="card" id="requests">${requestRows(requests, names)}</section>
<h2>Sent emails <b>${sentEmails.length}</b></h2><section class="card" id="emails">${emailRows(sentEmails)}</section>
<h2>Notifications <b>${deliveries.length}</b></h2><section class="card" id="deliveries">${deliveryRows(deliveries)}</section></div></div>
</main>`;
}
