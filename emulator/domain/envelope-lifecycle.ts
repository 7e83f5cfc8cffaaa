/** An envelope after its creation: what time, its parties and its sender do to it. */
import { formatTimestamp, parseTimestamp } from "../../sdk/api/scalars";
import { JsonText } from "./big-ids-json";
import type { EmailType, EventType, Status } from "./enums";
import { type Code, throwApiError } from "./errors";
import type { Context } from "./request-context";
import type { Account, Envelope, Party } from "./schema";
import { renderEmail, type VariableValues } from "./sent-emails";

const HOUR = 3600_000;

/** Actions on an envelope outside the API. */
export const partyActions = ["open", "sign", "reject", "acknowledge", "verify", "fail"] as const;
export type PartyAction = (typeof partyActions)[number];

/** Who performed an action, for the history. */
export interface Actor {
  ip: string;
  userAgent: string;
}

const EMULATOR: Actor = { ip: "127.0.0.1", userAgent: "service" };

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
    this.#emit("send-envelope");
    this.#notifyNextParty();
  }

  /** Processing fails. Only an action leads here: invalid documents are rejected on creation. */
  fail(): void {
    this.#requireStatus(["draft", "processing"], 10267);
    delete this.envelope.ready;
    this.envelope.status = "failed";
    this.#addHistory("Processing failed");
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
        if (field.party === party.id && field.type === "date") field.value = this.when.toISOString().slice(0, 10);
      }
    }
    this.#addHistory(`Signed by ${party.name}`);
    this.#emit("signed-envelope", party);
    if (envelope.parties.some((p) => p.status === "waiting")) {
      this.#notifyNextParty();
      return;
    }
    envelope.status = "signed";
    delete envelope.reminded;
    this.#addHistory("The envelope is complete");
    this.#emit("signed-envelope-complete");
    for (const reader of envelope.parties) this.#sendEmail("email-signed", reader);
  }

  /** The party declines, which ends the envelope. The specification lists no status for it. */
  reject(party: Party): void {
    this.#requireTurn(party);
    party.status = "rejected";
    this.envelope.status = this.context.settings.unlistedValues ? "rejected" : "cancelled";
    this.#addHistory(`Rejected by ${party.name}`);
    this.#emit("rejected-envelope", party);
    for (const other of this.#notifiedParties()) this.#sendEmail("email-rejected", other);
  }

  acknowledge(party: Party): void {
    this.#addHistory(`Acknowledged by ${party.name}`);
  }

  remind(): void {
    this.#requireStatus(["sent"], 10275);
    const party = this.envelope.parties.find((p) => p.status === "in progress");
    if (!party) return;
    this.envelope.reminded = this.#timestamp;
    this.#addHistory(`${party.name} was reminded`);
    this.#sendEmail(this.envelope.password === undefined ? "email-reminder" : "email-reminder-password", party);
  }

  cancel(): void {
    this.#requireStatus(["draft", "processing", "sent"], 10274);
    delete this.envelope.ready;
    this.envelope.status = "cancelled";
    this.#addHistory("The envelope was cancelled");
    this.#emit("cancelled-envelope");
    for (const party of this.#notifiedParties()) this.#sendEmail("email-cancelled", party);
  }

  /** Like cancel, but without notifications. */
  expire(): void {
    this.#requireStatus(["draft", "processing", "sent"], 10276);
    delete this.envelope.ready;
    this.envelope.status = "expired";
    this.#addHistory("The envelope expired");
  }

  /** Sends a party an email to confirm its address, as a signing widget does. */
  verify(party: Party): void {
    this.#sendEmail("email-widget-verify", party);
  }

  /** Gives the turn to the first waiting signer. */
  #notifyNextParty(): void {
    const party = this.envelope.parties.find((p) => p.status === "waiting");
    if (!party) return;
    party.status = "in progress";
    this.envelope.reminded = this.#timestamp;
    this.#addHistory(`Sent to ${party.name} (${party.email})`);
    const usesPassword = this.context.settings.unlistedValues && this.envelope.password !== undefined;
    this.#sendEmail(usesPassword ? "email-send-password" : "email-send", party);
  }

  #requireTurn(party: Party): void {
    this.#requireStatus(["sent"], 10267);
    if (party.status !== "in progress") throwApiError(10267, `it is not ${party.name}'s turn`);
  }

  #requireStatus(statuses: Status[], code: Code): void {
    const { status } = this.envelope;
    if (!statuses.includes(status)) throwApiError(code, `its status is ${status}; allowed: ${statuses.join(", ")}`);
  }

  /** Parties that have received the envelope. */
  #notifiedParties(): Party[] {
    return this.envelope.parties.filter((party) => party.status === "in progress" || party.status === "signed");
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

  #emit(type: EventType, party?: Party): void {
    const { envelope } = this;
    this.context.emit(this.account, type, this.#timestamp, {
      envelope: {
        envelope_fingerprint: envelope.fingerprint,
        envelope_title: envelope.title,
        envelope_status: envelope.status,
        envelope_created: envelope.created,
        envelope_sent: envelope.sent ?? null,
        envelope_meta: presentMeta(envelope),
      },
      ...(party
        ? {
            party: {
              party_id: party.id,
              party_title: party.name,
              contact_id: party.contact,
              contact_email: party.email,
            },
          }
        : {}),
    });
  }

  #sendEmail(type: EmailType, party: Party): void {
    const { envelope, context, account } = this;
    const values: VariableValues = {
      "client name": party.name,
      "contract title": envelope.title,
      "contract url": signingUrl(context.url, envelope, party),
      "acknowledge url": `${context.url}/acknowledge/${envelope.fingerprint}/${party.id}`,
      "contract password": envelope.password,
      "contract intro": party.message,
      "widget verify url": `${context.url}/verify/${envelope.fingerprint}/${party.id}`,
    };
    const email = renderEmail(account, type, party.email, values, {
      id: context.newId(),
      date: this.#timestamp,
      envelope: envelope.fingerprint,
    });
    context.effects.push({ email });
  }
}

/** The metadata as the client sent it. */
export function presentMeta({ meta, metaText }: Envelope): unknown {
  return metaText === undefined ? (meta ?? {}) : new JsonText(metaText);
}

/** Where a party signs. */
export function signingUrl(origin: string, envelope: Envelope, party: Party): string {
  return `${origin}/sign/${envelope.fingerprint}/${party.id}`;
}

type TimedStep = { at: number; run: (lifecycle: EnvelopeLifecycle) => void };

/** The next timed step of the envelope. */
function nextStep(envelope: Envelope): TimedStep | undefined {
  if (envelope.ready !== undefined) return { at: Date.parse(envelope.ready), run: (lifecycle) => lifecycle.send() };
  if (envelope.status !== "sent") return undefined;
  const after = (since: string | undefined, hours: number | undefined) =>
    since === undefined || hours === undefined
      ? Number.POSITIVE_INFINITY
      : parseTimestamp(since).getTime() + hours * HOUR;
  const expires = after(envelope.sent, envelope.expireHours);
  const reminds = after(envelope.reminded, envelope.remindHours);
  if (expires === Number.POSITIVE_INFINITY && reminds === Number.POSITIVE_INFINITY) return undefined;
  return expires <= reminds
    ? { at: expires, run: (lifecycle) => lifecycle.expire() }
    : { at: reminds, run: (lifecycle) => lifecycle.remind() };
}

/** Runs every step that is due, in order of time; returns when the next one is due. */
export function tick(context: Context): number {
  const now = context.now.getTime();
  for (;;) {
    let next: (TimedStep & { account: Account; envelope: Envelope }) | undefined;
    for (const account of context.data.accounts) {
      for (const envelope of account.envelopes) {
        const step = nextStep(envelope);
        if (step && (!next || step.at < next.at)) next = { ...step, account, envelope };
      }
    }
    if (!next || next.at > now) return next?.at ?? Number.POSITIVE_INFINITY;
    next.run(new EnvelopeLifecycle(context, next.account, next.envelope, EMULATOR, new Date(next.at)));
  }
}
