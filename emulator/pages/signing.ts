/** The pages that the links in emails lead to: a person can sign, decline and acknowledge. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHtml as e } from "../../sdk/text/html-escape";
import { InvalidAction } from "../domain/api-errors";
import type { Envelope } from "../domain/data-schema";
import { type Actor, type PartyAction, partyActions } from "../domain/envelope-lifecycle";
import { formFields, readBody } from "../http/request-body";
import { write } from "../http/send-response";
import { type PageContext, pageHeaders, type Signer } from "./page-context";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem;color:#222}
button{font:inherit;padding:.6rem 1.2rem;margin-right:.6rem;border:1px solid #888;border-radius:6px;background:#fff;cursor:pointer}
button.main{background:#1f6feb;border-color:#1f6feb;color:#fff}`;

function sendPage(response: ServerResponse, title: string, body: string, status = 200): void {
  const nonce = randomBytes(12).toString("base64");
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${e(title)}</title>
<style nonce="${nonce}">${style}</style></head><body><h1>${e(title)}</h1>${body}</body></html>`;
  // Other pages may embed a signing page, and it redirects to any URL after signing.
  write(response, status, html, "text/html; charset=utf-8", pageHeaders(nonce, ["form-action *"]));
}

function actorOf(request: IncomingMessage): Actor {
  return { ip: request.socket.remoteAddress ?? "", userAgent: request.headers["user-agent"] ?? "" };
}

/** False if the action is not possible. Not checked before: a double click sends two forms at once. */
async function succeeds(act: Promise<void>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (error instanceof InvalidAction) return false;
    throw error;
  }
}

/** The form of the party whose turn it is, with a password if the envelope has one. */
function form({ password }: Envelope): string {
  const ask = `<p><label>Password: <input name="password" required autocomplete="off"></label></p>`;
  return `<form method="post">${password === undefined ? "" : ask}<button class="main" name="action" value="sign">Sign</button><button name="action" value="reject">Decline</button></form>`;
}

/** The form of a party that is to prove who it is. */
const identityForm =
  '<form method="post"><button class="main" name="action" value="identify">Prove who you are</button><button name="action" value="misidentify">Fail to</button></form>';

/** What people do on this page. */
const pageActions = partyActions.filter((action) => ["sign", "reject", "identify", "misidentify"].includes(action));

export async function signPage(
  { emulator }: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  { envelope, party }: Signer,
): Promise<void> {
  const perform = (action: PartyAction) =>
    succeeds(emulator.performAction(envelope.fingerprint, action, party.id, actorOf(request)));
  if (request.method === "POST") {
    const { action, password } = formFields(await readBody(request));
    if (envelope.status === "sent" && envelope.password !== undefined && password?.trim() !== envelope.password) {
      return sendPage(response, envelope.title, `<p>The password is wrong.</p>${form(envelope)}`, 403);
    }
    const chosen = pageActions.find((one) => one === action);
    if (!chosen || !(await perform(chosen)))
      return sendPage(response, envelope.title, "<p>It is not your turn.</p>", 409);
    const isOver = chosen === "identify" || (chosen === "sign" && party.qes === undefined);
    // `href` is percent-encoded, as a header must be.
    const target = envelope.redirectUrl === undefined ? "/signed" : new URL(envelope.redirectUrl).href;
    response.writeHead(303, { location: isOver ? target : request.url! }).end();
    return;
  }
  if (request.method === "GET") await perform("open");
  const isTurn = envelope.status === "sent" && party.status === "in progress";
  const isIdentified = envelope.status === "qes_in_progress" && party.qes?.status === "ready";
  const state = `<p>${e(party.name)}: ${e(party.status)}. The envelope is ${e(envelope.status)}.</p>`;
  sendPage(
    response,
    envelope.title,
    `<p>${e(party.message ?? "")}</p>${isTurn ? form(envelope) : isIdentified ? identityForm : state}`,
  );
}

/** Acts when it is opened. */
export async function acknowledgePage(
  { emulator }: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  { envelope, party }: Signer,
): Promise<void> {
  // Mail clients send HEAD requests to links before the email is read.
  if (request.method === "GET")
    await emulator.performAction(envelope.fingerprint, "acknowledge", party.id, actorOf(request));
  sendPage(response, envelope.title, "<p>Thank you. The sender knows that you have seen this.</p>");
}

export function signedPage(response: ServerResponse): void {
  sendPage(response, "Signed", "<p>Thank you. You can close this page.</p>");
}
