/** A client of the tests' own, made of nothing but fetch: the service is not to be tested with our own client. */
import http, { type IncomingHttpHeaders } from "node:http";
import https, { type RequestOptions } from "node:https";
import type { Edition } from "../../sdk";

// biome-ignore lint/suspicious/noExplicitAny: bodies are judged member by member
export type Body = any;

export interface Asked {
  status: number;
  body: Body;
  headers: Headers;
}

export const basic = (key: string, password = "x") => `Basic ${Buffer.from(`${key}:${password}`).toString("base64")}`;

/** What can be asked: an emulator, or another service. */
interface Service {
  url: string;
  keys: { partner: string };
  settings?: { edition: Edition };
}

/** Asks as an account, with a body of the edition: `ask(service)("POST", "/v1/webhooks", { webhook_type: "all", … })`. */
export function ask(service: Service, key?: string) {
  return async (method: string, path: string, form?: object, init: RequestInit = {}): Promise<Asked> => {
    const isJson = service.settings?.edition === "current";
    const response = await fetch(service.url + path, {
      method,
      ...(form ? { body: isJson ? JSON.stringify(form) : new URLSearchParams(textsOf(form)) } : {}),
      ...init,
      headers: {
        authorization: basic(key ?? service.keys.partner),
        ...(form && isJson ? { "content-type": "application/json" } : {}),
        ...(init.headers as Record<string, string>),
      },
    });
    return { status: response.status, body: parse(await response.text()), headers: response.headers };
  };
}

const parse = (text: string): Body => (text.startsWith("{") ? JSON.parse(text) : text);

/** Asks with Node's own client, which sends any header, also the host. */
export const askWithNode = (url: string, options: RequestOptions, body?: string) =>
  new Promise<{ status: number; body: Body; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const { request } = url.startsWith("https:") ? https : http;
    const sent = request(url, options, async (response) => {
      const text = (await response.toArray()).join("");
      resolve({ status: response.statusCode!, body: parse(text), headers: response.headers });
    });
    sent.on("error", reject).end(body);
  });

/** The fields of a form: what is no text is JSON. */
const textsOf = (form: object): [string, string][] =>
  Object.entries(form).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);

/** The form of an envelope with one document and one signer. */
export const envelopeForm = (more: object = {}) => ({
  envelope_title: "NDA",
  envelope_documents: [{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }],
  envelope_parties: [{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }],
  ...more,
});
