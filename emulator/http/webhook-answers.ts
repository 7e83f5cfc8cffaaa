/** Whether a webhook's URL answers. Only URLs that are notified are called; others count as answering. */
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { parseUrl } from "../../sdk/text/url";
import { registrationTimeout } from "../domain/limits";
import type { NotifyHosts } from "../domain/notifications/notify-hosts";

/** Any response is an answer. Certificates of local servers are seldom trusted, so they are not checked. */
export function webhookAnswers(address: unknown, hosts: NotifyHosts): Promise<boolean> {
  const url = typeof address === "string" ? parseUrl(address) : undefined;
  if (!url || !hosts.includes(url)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const options = {
      method: "HEAD",
      signal: AbortSignal.timeout(registrationTimeout),
      agent: false as const,
      lookup: hosts.lookup,
    };
    const call =
      url.protocol === "https:" ? overHttps(url, { ...options, rejectUnauthorized: false }) : overHttp(url, options);
    call.on("response", (response) => {
      response.destroy();
      resolve(true);
    });
    call.on("error", () => resolve(false));
    call.end();
  });
}
