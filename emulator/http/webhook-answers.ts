/** Whether a webhook's URL answers. Only URLs on this machine are called; others count as answering. */
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isLoopback, lookupLoopback, parseUrl } from "../../sdk/text/url";

const TIMEOUT = 2000;

/** Any response is an answer. Certificates of local servers are seldom trusted, so they are not checked. */
export function webhookAnswers(address: unknown): Promise<boolean> {
  const url = typeof address === "string" ? parseUrl(address) : undefined;
  if (!url || !isLoopback(url.hostname) || !/^https?:$/.test(url.protocol)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const options = {
      method: "HEAD",
      signal: AbortSignal.timeout(TIMEOUT),
      agent: false as const,
      lookup: lookupLoopback,
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
