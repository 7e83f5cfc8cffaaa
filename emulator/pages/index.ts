/** Everything that the service answers beside the interface: its status page, what addresses in answers lead to, and the control endpoints. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isLoopback, parseUrl } from "../../sdk/text/url";
import { write } from "../http/response";
import type { Backstage, Subject } from "./context";
import { control } from "./control-api";
import { logo, page as pagePicture, pdf } from "./images";
import { acknowledgePage, signedPage, signPage, verifyPage } from "./signing";
import { statusPage } from "./status";

/** Answers what is no request of the interface; false when it is one. */
export async function site(
  backstage: Backstage,
  request: IncomingMessage,
  response: ServerResponse,
  address: URL,
): Promise<boolean> {
  const { pathname } = address;
  if (pathname === "/_control" || pathname.startsWith("/_control/")) {
    if (guarded(backstage, request, response)) await control(backstage, request, response, address);
    return true;
  }
  const found = /^\/(logos|documents|sign|acknowledge|verify|signed)(?:\/(.*))?$/.exec(pathname);
  const read = request.method === "GET" || request.method === "HEAD";
  if (pathname === "/" && read) {
    if (guarded(backstage, request, response)) statusPage(backstage, response, address.searchParams.has("main"));
    return true;
  }
  // Browsers ask for it on their own; it is no request of the interface and none for its log.
  if (pathname === "/favicon.ico" && read) {
    write(response, 200, logo("standard.png"), "image/png");
    return true;
  }
  if (!found) return false;
  const [, kind, rest = ""] = found;
  if (read && kind === "logos") {
    write(response, 200, logo(rest), "image/png");
    return true;
  }
  if (read && kind === "documents") return document(backstage, response, rest, address.searchParams.has("signed"));
  if (read && kind === "signed") {
    signedPage(response);
    return true;
  }
  const subject = partyOf(backstage, rest);
  if (!subject) return false;
  if (!read && !guarded(backstage, request, response)) return true;
  if (kind === "sign") await signPage(backstage, request, response, subject);
  else if (kind === "acknowledge") await acknowledgePage(backstage, request, response, subject);
  else await verifyPage(backstage, response, subject);
  return true;
}

function partyOf({ world }: Backstage, path: string): Subject | undefined {
  const [fingerprint = "", id] = path.split("/");
  const envelope = world.envelope(fingerprint)?.envelope;
  const party = envelope?.parties.find((p) => p.id === id);
  return envelope && party && { envelope, party };
}

/** `<document>.pdf`, `<document>.pdf?signed`, `<document>/page-1.png`, `<document>/thumbnail-1.png` */
function document({ world }: Backstage, response: ServerResponse, path: string, signed: boolean): boolean {
  const [, fingerprint, picture] = /^([^/.]+)(?:\.pdf|\/(page|thumbnail)-\d+\.png)$/.exec(path) ?? [];
  for (const account of world.data.accounts) {
    for (const { documents, status } of account.envelopes) {
      const found = documents.find((d) => d.fingerprint === fingerprint);
      if (!found) continue;
      if (signed && status !== "signed") {
        write(response, 404, JSON.stringify({ http: 404, message: "The envelope is not signed." }));
      } else if (picture) write(response, 200, pagePicture(picture === "page" ? 600 : 120), "image/png");
      else write(response, 200, pdf(found.title, found.pages), "application/pdf");
      return true;
    }
  }
  return false;
}

/**
 * Keeps other pages of a browser away from the controls: a page elsewhere can send requests to this machine, under its
 * own name (Origin) or under a name that it made lead here (Host).
 */
function guarded({ service }: Backstage, request: IncomingMessage, response: ServerResponse): boolean {
  const host = request.headers.host ?? "";
  const name = parseUrl(`http://${host}`)?.hostname ?? "";
  const local = isLoopback(new URL(service.url).hostname);
  const { origin } = request.headers;
  const own = origin === undefined || origin === "null" || parseUrl(origin)?.host === host;
  // "null" comes from sandboxed pages, such as an e-mail that is shown; they may read, not write.
  const harmless = origin !== "null" || request.method === "GET";
  if ((!local || isLoopback(name)) && own && harmless) return true;
  write(response, 403, JSON.stringify({ message: "Only this machine's own pages and programs may do this." }));
  return false;
}
