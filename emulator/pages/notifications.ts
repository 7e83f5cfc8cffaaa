/** Notifications on the status page: deliveries, and events to send for a test. */
import { escapeHtml as e } from "../../sdk/text/html-escape";
import type { Account, Webhook } from "../domain/data-schema";
import type { Settings } from "../domain/emulator-settings";
import { actionsOf, isSubscribed } from "../domain/enums-by-edition";
import { mostRows } from "../domain/limits";
import type { Delivery } from "../domain/notifications/delivery";
import { badge, button, fold, type Html, time } from "./status-markup";

const deliveryTone: Record<Delivery["state"], string> = {
  waiting: "busy",
  delivered: "good",
  failed: "bad",
  "skipped-external": "quiet",
  suspended: "bad",
  dropped: "bad",
};

export function deliveryRows(deliveries: readonly Delivery[]): Html {
  if (deliveries.length === 0) return '<p class="none">None.</p>';
  const rows = deliveries.slice(-mostRows).toReversed().map(deliveryRow);
  const more = deliveries.length > mostRows ? `<p class="none">… and ${deliveries.length - mostRows} more.</p>` : "";
  return rows.join("") + more;
}

function deliveryRow(delivery: Delivery): Html {
  const { id, date, type, url, state, attempts } = delivery;
  const again = button("Send again", "POST", `/deliveries/${id}/redeliver`);
  const title = `${time(date)} <strong>${e(type)}</strong> ${badge(state, deliveryTone[state])} ${e(attempts.join(", "))} ${again}
<br><code>${e(url)}</code>`;
  return fold(`d-${id}`, title, content(delivery));
}

/** The members of a notification, as they were sent. */
function content({ body, signed }: Delivery): Html {
  const isJson = body.startsWith("{");
  const members: [string, unknown][] = isJson ? Object.entries(JSON.parse(body)) : [...new URLSearchParams(body)];
  const lines = members.map(([name, value]) => `${name}: ${isJson ? JSON.stringify(value) : value}`);
  const form = `${isJson ? "JSON" : "Form fields"}, ${signed ? "signed" : "not signed"}`;
  return `<p class="facts">${form}</p><pre>${e(lines.join("\n"))}</pre>`;
}

/** Whether a webhook is called: it is suspended after three days without a 200. */
export function webhookState({ failing, suspended }: Webhook): Html {
  if (suspended !== undefined) return badge("suspended", "bad");
  return failing === undefined ? "" : badge("failing", "warn");
}

/** A button for each event of which a webhook of the account is notified. */
export function testEvents(account: Account, settings: Settings): Html {
  const actions = actionsOf(settings).filter((action) =>
    account.webhooks.some((webhook) => isSubscribed(webhook.type, action)),
  );
  if (actions.length === 0) return "";
  const buttons = actions.map((action) => button(action, "POST", `/accounts/${account.id}/notify`, { action }));
  return fold(`t-${account.id}`, "Send a test event", `<p class="buttons">${buttons.join("")}</p>`);
}
