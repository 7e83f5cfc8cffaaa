/** An envelope after its creation: what time, its parties and its sender do to it, and when that is allowed. */
import { formatTimestamp } from "../../sdk/api/scalars";
import { senderOf } from "./account-owner";
import { type Code, throwApiError } from "./api-errors";
import type { Account, Envelope, Party } from "./data-schema";
import { renderEmail, type VariableValues } from "./emails/sent-emails";
import { type EmailType, type EventAction, hasCurrentValues, type Status } from "./enums-by-edition";
import { mostPartyUpdates, verificationSession } from "./limits";
import { presentLogo } from "./logos";
import { envelopeMembers, signingUrl } from "./notifications/subject-members";
import type { Context } from "./request-context";
import { refuse } from "./strictness";

/** Actions on an envelope outside the API. */
export const partyActions = ["open", "sign", "identify", "misidentify", "reject", "acknowledge", "fail"] as const;
export type PartyAction = (typeof partyActions)[number];

/** Who performed an action, for the history. */
export interface Actor {
  ip: string;
  userAgent: string;
}

export const EMULATOR: Actor = { ip: "127.0.0.1", userAgent: "service" };

/** Everything that can happen to one envelope at one moment. */
export class EnvelopeLifecycle {
  constructor(
    readonly context: Context,
    readonly account: Account,
    readonly envelope: Envelope,
    readonly actor: Actor = EMULATOR,
    readonly when: Date = context.now,
  ) {}

  /** Processing is over: the envelope is sent. */
  send(): void {
    const { envelope, account } = this;
    delete envelope.ready;
    envelope.status = "sent";
    envelope.sent = this.#timestamp;
    const day = this.when.toISOString().slice(0, 10);
    // Sorted by day, whichever envelope was first.
    account.sent = Object.fromEntries(Object.entries({ ...account.sent, [day]: (account.sent[day] ?? 0) + 1 }).sort());
    this.#addHistory("The envelope was sent");
    this.#emit("send-envelope", this.#nextParty);
    this.#notifyNextParty();
  }

  /** Processing fails. Only an action leads here: invalid documents are rejected on creation. */
  fail(): void {
    this.#requireStatus(["draft", "processing"], 10010);
    delete this.envelope.ready;
    this.envelope.status = "failed";
    this.#addHistory("Processing failed");
    this.#emit("send-envelope-failed");
  }

  open(party: Party): void {
    this.#requireTurn(party);
    this.#addHistory(`Opened by ${party.name}`);
    this.#emit("opened-envelope", party);
  }

  /** The party signs; then it is the next party's turn, or the envelope is complete. */
  sign(party: Party): void {
    const { envelope } = this;
    this.#requireTurn(party);
    party.status = "signed";
    for (const document of envelope.documents) {
      for (const field of document.fields) {
        const isDay = field.type === "date" || field.type === "date-signed";
        if (field.party === party.id && isDay) field.value = this.when.toISOString().slice(0, 10);
      }
    }
    this.#addHistory(`Signed by ${party.name}`);
    this.#emit("signed-envelope", party);
    if (envelope.parties.some((p) => p.status === "waiting")) {
      this.#notifyNextParty();
      return;
    }
    if (envelope.parties.some((p) => p.status === "in progress")) return;
    delete envelope.reminded;
    this.#continueIdentification();
  }

  /** The party proves who it is, which makes its signature a qualified one. */
  identify(party: Party): void {
    this.#requireIdentification(party);
    party.qes = { status: "complete" };
    this.#addHistory(`${party.name} was identified`);
    this.#emit("qes-signed", party);
    this.#continueIdentification();
  }

  /** The proof fails, which ends the envelope. */
  misidentify(party: Party): void {
    this.#requireIdentification(party);
    party.qes = { status: "failed" };
    this.#end("failed");
    this.#addHistory(`${party.name} was not identified`);
    this.#emit("qes-failed", party);
  }

  /** Asks the next signer of a qualified signature to prove who he is; without one the envelope is complete. */
  #continueIdentification(): void {
    const { envelope } = this;
    const party = envelope.parties.find(({ qes }) => qes?.status === "waiting");
    if (party === undefined) {
      this.#complete();
      return;
    }
    envelope.status = "qes_in_progress";
    party.qes = { status: "ready", expires: formatTimestamp(new Date(this.when.getTime() + verificationSession)) };
    this.#addHistory(`${party.name} was asked to prove who it is`);
    this.#emit("qes-ready", party);
  }

  #complete(): void {
    this.#end("signed");
    this.#addHistory("The envelope is complete");
    this.#emit("signed-envelope-complete");
    for (const reader of this.envelope.parties) this.#sendEmail("email-signed", reader);
  }

  /** The party declines, which ends the envelope. The specification lists no status for it. */
  reject(party: Party): void {
    this.#requireTurn(party);
    party.status = "rejected";
    this.#end(hasCurrentValues(this.context.settings) ? "rejected" : "cancelled");
    this.#addHistory(`Rejected by ${party.name}`);
    this.#emit("rejected-envelope", party);
    for (const other of this.#notifiedParties()) this.#sendEmail("email-rejected", other);
  }

  acknowledge(party: Party): void {
    this.#addHistory(`Acknowledged by ${party.name}`);
  }

  /** Reminds those whose turn it is, or every party that has not signed. */
  remind(everyone = false): void {
    this.#requireStatus(["sent"], 10275);
    const statuses = ["in progress", ...(everyone ? ["waiting"] : [])];
    for (const party of this.envelope.parties.filter((p) => statuses.includes(p.status))) {
      this.envelope.reminded = this.#timestamp;
      this.#addHistory(`${party.name} was reminded`);
      this.#sendEmail(this.envelope.password === undefined ? "email-reminder" : "email-reminder-password", party);
    }
  }

  cancel(): void {
    this.#requireStatus(["draft", "processing", "sent"], 10274);
    this.#end("cancelled");
    this.#addHistory("The envelope was cancelled");
    this.#emit("cancelled-envelope");
    for (const party of this.#notifiedParties()) this.#sendEmail("email-cancelled", party);
  }

  /** Like cancel, but without emails. */
  expire(): void {
    const statuses = ["draft", "processing", "sent"];
    const { status } = this.envelope;
    if (!statuses.includes(status))
      refuse(this.context.settings, "expireStatus", `its status is ${status}; allowed: ${statuses.join(", ")}`);
    this.#end("expired");
    this.#addHistory("The envelope expired");
    this.#emit("expired-envelope");
  }

  /** Whether it sends an email is not documented: here it does not. */
  updateParty(
    party: Party,
    { name = party.name, email = party.email }: Partial<Record<"name" | "email", string | undefined>>,
  ): void {
    const { context, account } = this;
    const { updates = 0 } = party;
    if (updates >= mostPartyUpdates)
      refuse(context.settings, "partyUpdates", `the party was updated ${updates} times already`);
    if (party.status === "signed") refuse(context.settings, "signedParty", "the party has signed");
    Object.assign(party, { name, email, updates: updates + 1 });
    context.markChanged(account, this.envelope);
  }

  /** Fails for an envelope that its parties may still act on. */
  assertDeletable(): void {
    if (["processing", "sent", "qes_in_progress"].includes(this.envelope.status)) throwApiError(10277);
  }

  #end(status: "signed" | "rejected" | "cancelled" | "expired" | "failed"): void {
    delete this.envelope.ready;
    this.envelope.status = status;
    this.envelope.processed = this.#timestamp;
  }

  /** Gives the turn to the first waiting signer, or to all of them. */
  #notifyNextParty(): void {
    const party = this.#nextParty;
    if (!party) return;
    party.status = "in progress";
    this.envelope.reminded = this.#timestamp;
    this.#addHistory(`Sent to ${party.name} (${party.email})`);
    const usesPassword = hasCurrentValues(this.context.settings) && this.envelope.password !== undefined;
    this.#sendEmail(usesPassword ? "email-send-password" : "email-send", party);
    if (this.envelope.allAtOnce) this.#notifyNextParty();
  }

  #requireTurn(party: Party): void {
    this.#requireStatus(["sent"], 10010);
    if (party.status !== "in progress") throwApiError(10010, `it is not ${party.name}'s turn`);
  }

  #requireIdentification(party: Party): void {
    this.#requireStatus(["qes_in_progress"], 10010);
    if (party.qes?.status !== "ready") throwApiError(10010, `it is not ${party.name}'s turn`);
  }

  #requireStatus(statuses: Status[], code: Code): void {
    const { status } = this.envelope;
    if (!statuses.includes(status)) throwApiError(code, `its status is ${status}; allowed: ${statuses.join(", ")}`);
  }

  /** Parties that have received the envelope. */
  #notifiedParties(): Party[] {
    return this.envelope.parties.filter((party) => party.status === "in progress" || party.status === "signed");
  }

  /** The signer who gets the turn next. */
  get #nextParty(): Party | undefined {
    return this.envelope.parties.find((party) => party.status === "waiting");
  }

  get #timestamp(): string {
    return formatTimestamp(this.when);
  }

  #addHistory(detail: string): void {
    this.envelope.history.unshift({
      detail,
      ip: this.actor.ip,
      userAgent: this.actor.userAgent,
      date: this.#timestamp,
    });
    this.context.markChanged(this.account, this.envelope);
  }

  #emit(action: EventAction, party?: Party): void {
    const { context, envelope } = this;
    const next = this.#nextParty;
    const members = {
      ...envelopeMembers(context.url, envelope, party),
      ...(next && { envelope_signing_embed: signingUrl(context.url, envelope, next) }),
      ...(party?.qes?.expires && {
        signing_page_link: signingUrl(context.url, envelope, party),
        verification_session_expires_at: party.qes.expires,
      }),
    };
    context.emit(this.account, { action, date: this.#timestamp, ip: this.actor.ip, members });
  }

  #sendEmail(type: EmailType, party: Party): void {
    const { envelope, context, account } = this;
    const values: VariableValues = {
      "user name": senderOf(account, envelope).name,
      "client name": party.name,
      "contract title": envelope.title,
      "contract url": signingUrl(context.url, envelope, party),
      "acknowledge url": `${context.url}/acknowledge/${envelope.fingerprint}/${party.id}`,
      "contract password": envelope.password,
      "contract intro": party.message,
      ...(context.settings.edition === "current" && {
        "party message": party.message,
        "company logo": presentLogo(account, context.url, context.settings) ?? "",
      }),
    };
    const email = renderEmail(account, type, party.email, values, {
      id: context.newId(),
      date: this.#timestamp,
      envelope: envelope.fingerprint,
    });
    context.sideEffects.push({ email });
  }
}
