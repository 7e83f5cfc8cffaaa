/** The webhooks of an account: which are suspended or notify twice, and what their URLs answer. */

import { kinds } from "../../../definitions/index";
import { displayName } from "../../../definitions/kind";
import { normalizeUrl } from "../../../definitions/text/normalize";
import type { Client, WebhookRecord } from "../../../sdk/index";
import { likelyCause } from "./answer-causes";
import { callUrl } from "./call-url";
import { type CheckResult, resultOfError } from "./check-result";

/** A suspended webhook is an outage that nothing else reports; of two for one event and URL, each notifies. */
export async function webhooks(client: Client): Promise<CheckResult> {
  const check = "webhooks";
  try {
    const all = await client.webhooks.list().all();
    const suspended = all.filter(({ webhook_suspended }) => webhook_suspended);
    const doubled = all.filter((one) => all.some((other) => other !== one && notifiesToo(other, one)));
    if (suspended.length + doubled.length === 0) {
      const isShown = all.some(({ webhook_suspended }) => webhook_suspended === null);
      return { check, state: "ok", finding: `${all.length}${isShown ? ", none suspended" : ""}` };
    }
    const nameOf = (webhook: WebhookRecord) =>
      displayName(kinds.Webhook, `${webhook.webhook_type} ${webhook.webhook_url}`);
    const lines = [
      ...suspended.map((webhook) => `${webhook.webhook_id} since ${webhook.webhook_suspended}: ${nameOf(webhook)}`),
      ...(suspended.length > 0
        ? [
            "They are not notified. Their URLs must answer with 200; esign doctor --call-webhooks shows what they answer.",
          ]
        : []),
      ...doubled.map((webhook) => `${webhook.webhook_id}: ${nameOf(webhook)}`),
      ...(doubled.length > 0
        ? ["Another webhook notifies the same URL of the same event, which is then notified twice."]
        : []),
    ];
    const counts = [
      ...(suspended.length > 0 ? [`${suspended.length} of ${all.length} suspended`] : []),
      ...(doubled.length > 0 ? [`${doubled.length} of ${all.length} doubled`] : []),
    ];
    return { check, state: "warn", finding: counts.join(", "), advice: lines.join("\n") };
  } catch (error) {
    return { check, state: "warn", ...resultOfError(error) };
  }
}

/** What the URLs answer to a form that is no event: 400 and 401 are answers of a receiver, and 200 of one that asks for no signature. */
export async function calledWebhooks(client: Client): Promise<CheckResult[]> {
  const check = "URLs";
  try {
    const all = await client.webhooks.list().all();
    const urls = [...new Set(all.map(({ webhook_url }) => webhook_url))];
    if (urls.length === 0) return [{ check, state: "skip", finding: "skipped (no webhooks)" }];
    const findings: CheckResult[] = [];
    // One after the other: they may be one server.
    for (const url of urls) {
      const answer = await callUrl(url);
      const isReached = typeof answer === "number" && [200, 400, 401].includes(answer);
      const cause = likelyCause(answer);
      const isSuspended = all.some((one) => one.webhook_url === url && one.webhook_suspended);
      findings.push({
        check,
        state: isReached ? "ok" : "warn",
        finding: `${displayName(kinds.Webhook, url)} ${
          typeof answer === "number" ? `answers an empty form with ${answer}` : `could not be called: ${answer}`
        }`,
        ...(cause !== undefined && (!isReached || isSuspended) && { advice: `Likely cause: ${cause}.` }),
      });
    }
    return findings;
  } catch (error) {
    return [{ check, state: "warn", ...resultOfError(error) }];
  }
}

const notifiesToo = (other: WebhookRecord, one: WebhookRecord): boolean =>
  normalizeUrl(other.webhook_url) === normalizeUrl(one.webhook_url) &&
  (other.webhook_type === one.webhook_type || other.webhook_type === "all");
