/** Everything that the service answers beside the interface: its status page, what addresses in answers lead to, and the control endpoints. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isLoopback, parseUrl } from "../../sdk/text/url";
import { write } from "../http/response";
import type { PageContext, Signer } from "./context";
import { handleControl } from "./control-api";
import { logo, page as pagePicture, pdf } from "./images";
import { acknowledgePage, signedPage, signPage, verifyPage } from "./signing";
import { statusPage } from "./status";

/** Answers what is no request of the interface; false when it is one. */
export async function handlePage(
  page: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  address: URL,
): Promise<boolean> {
  const { pathname } = address;
  if (pathname === "/_control" || pathname.startsWith("/_control/")) {
    if (checkOrigin(page, request, response)) await handleControl(page, request, response, address);
    return true;
  }
  const found = /^\/(logos|documents|sign|acknowledge|verify|signed)(?:\/(.*))?$/.exec(pathname);
  const read = request.method === "GET" || request.method === "HEAD";
  if (pathname === "/" && read) {
    if (checkOrigin(page, request, response)) statusPage(page, response, address.searchParams.has("main"));
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
  if (read && kind === "documents") return sendDocument(page, response, rest, address.searchParams.has("signed"));
  if (read && kind === "signed") {
    signedPage(response);
    return true;
  }
  const subject = findSigner(page, rest);
  if (!subject) return false;
  if (!read && !checkOrigin(page, request, response)) return true;
  if (kind === "sign") await signPage(page, request, response, subject);
  else if (kind === "acknowledge") await acknowledgePage(page, request, response, subject);
  else await verifyPage(page, response, subject);
  return true;
}

function findSigner({ context }: PageContext, path: string): Signer | undefined {
  const [fingerprint = "", id] = path.split("/");
  const envelope = context.findEnvelope(fingerprint)?.envelope;
  const party = envelope?.parties.find((p) => p.id === id);
  return envelope && party && { envelope, party };
}

/** `<document>.pdf`, `<document>.pdf?signed`, `<document>/page-1.png`, `<document>/thumbnail-1.png` */
function sendDocument({ context }: PageContext, response: ServerResponse, path: string, signed: boolean): boolean {
  const [, fingerprint, picture] = /^([^/.]+)(?:\.pdf|\/(page|thumbnail)-\d+\.png)$/.exec(path) ?? [];
  for (const account of context.data.accounts) {
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
function checkOrigin({ emulator }: PageContext, request: IncomingMessage, response: ServerResponse): boolean {
  const host = request.headers.host ?? "";
  const name = parseUrl(`http://${host}`)?.hostname ?? "";
  const local = isLoopback(new URL(emulator.url).hostname);
  const { origin } = request.headers;
  const own = origin === undefined || origin === "null" || parseUrl(origin)?.host === host;
  // "null" comes from sandboxed pages, such as an email that is shown; they may read, not write.
  const harmless = origin !== "null" || request.method === "GET";
  if ((!local || isLoopback(name)) && own && harmless) return true;
  write(response, 403, JSON.stringify({ message: "Only this machine's own pages and programs may do this." }));
  return false;
}
