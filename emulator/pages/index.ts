/** Everything outside the API: the status page, the pages and files that responses link to, and the control endpoints. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { logoAt } from "../domain/logos";
import { decodePart } from "../http/router";
import { write } from "../http/send-response";
import { checkOrigin, checkToken } from "./access";
import { handleControl } from "./control-api";
import { logo, page as pagePicture, pdf } from "./linked-files";
import type { PageContext, Signer } from "./page-context";
import { acknowledgePage, signedPage, signPage } from "./signing";
import { statusPage } from "./status-page";

/** Handles a request outside the API; false if it is an API request. */
export async function handlePage(
  page: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  address: URL,
): Promise<boolean> {
  const { pathname } = address;
  const isPermitted = () => checkOrigin(request, response) && checkToken(page, request, response, address);
  if (pathname === "/_control" || pathname.startsWith("/_control/")) {
    if (isPermitted()) await handleControl(page, request, response, address);
    return true;
  }
  const match = /^\/(documents|sign|acknowledge|signed)(?:\/(.*))?$/.exec(pathname);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (pathname === "/" && isRead) {
    if (isPermitted()) statusPage(page, response, address.searchParams.has("main"));
    return true;
  }
  // Browsers request it on their own; it does not belong in the log.
  if (pathname === "/favicon.ico" && isRead) {
    write(response, 200, logo("standard.png"), "image/png");
    return true;
  }
  const ownLogo = isRead ? logoAt(pathname) : undefined;
  if (ownLogo !== undefined) {
    // Of one source, each account has the same picture.
    write(response, 200, logo(ownLogo.replace(/^\d+-/, "")), "image/png");
    return true;
  }
  if (!match) return false;
  const [, kind, rest = ""] = match;
  if (isRead && kind === "documents") return sendDocument(page, response, rest, address.searchParams.has("signed"));
  if (isRead && kind === "signed") {
    signedPage(response);
    return true;
  }
  const signer = findSigner(page, rest);
  if (!signer) return false;
  if (!isRead && !checkOrigin(request, response)) return true;
  if (kind === "sign") await signPage(page, request, response, signer);
  else await acknowledgePage(page, request, response, signer);
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
  const [, part = "", picture] = /^([^/]+)(?:\.pdf|\/(page|thumbnail)-\d+\.png)$/.exec(path) ?? [];
  const document = findDocument(context, decodePart(part));
  if (!document) return false;
  if (signed && !document.isSigned) {
    write(response, 404, JSON.stringify({ http: 404, message: "The document is not signed." }));
  } else if (picture) write(response, 200, pagePicture(picture === "page" ? 600 : 120), "image/png");
  else write(response, 200, pdf(document.title, document.pages), "application/pdf");
  return true;
}

/** A document of an envelope, or a template. A whole envelope is its first document here. */
function findDocument({ data }: PageContext["context"], fingerprint: string) {
  for (const { envelopes, templates } of data.accounts) {
    for (const envelope of envelopes) {
      const { documents, status } = envelope;
      const document =
        envelope.fingerprint === fingerprint ? documents[0] : documents.find((d) => d.fingerprint === fingerprint);
      if (document) return { ...document, isSigned: status === "signed" };
    }
    const template = templates.find((each) => each.fingerprint === fingerprint);
    if (template) return { ...template, isSigned: false };
  }
  return undefined;
}
