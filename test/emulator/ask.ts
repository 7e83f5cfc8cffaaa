/** A client of the tests' own, made of nothing but fetch: the service is not to be tested with our own client. */
import type { Emulator } from "../../emulator";

// biome-ignore lint/suspicious/noExplicitAny: bodies are judged member by member
export type Body = any;

export interface Asked {
  status: number;
  body: Body;
  headers: Headers;
}

export const basic = (key: string, password = "x") => `Basic ${Buffer.from(`${key}:${password}`).toString("base64")}`;

/** Asks as an account, with a body of the edition: `ask(service)("POST", "/v1/webhooks", { webhook_type: "all", … })`. */
export function ask(
  service: Pick<Emulator, "url" | "keys"> & Partial<Pick<Emulator, "settings">>,
  key: string = service.keys.partner,
) {
  return async (
    method: string,
    path: string,
    form?: Record<string, string>,
    init: RequestInit = {},
  ): Promise<Asked> => {
    const isJson = service.settings?.edition === "current";
    const response = await fetch(service.url + path, {
      method,
      ...(form ? { body: isJson ? JSON.stringify(form) : new URLSearchParams(form) } : {}),
      ...init,
      headers: {
        authorization: basic(key),
        ...(form && isJson ? { "content-type": "application/json" } : {}),
        ...(init.headers as Record<string, string>),
      },
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text, headers: response.headers };
  };
}
