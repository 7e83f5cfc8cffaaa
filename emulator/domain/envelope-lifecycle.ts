/** What becomes of an envelope after its creation: by time, by its parties and by its sender. */
import { formatTimestamp, parseTimestamp } from "../../sdk/api/scalars";
import { JsonText } from "./big-ids-json";
import type { Context } from "./context";
import type { EmailType, EventType, Status } from "./enums";
import { type Code, throwApiError } from "./errors";
import { renderEmail, type VariableValues } from "./outbox";
import type { Account, Envelope, Party } from "./schema";

const HOUR = 3600_000;

/** What can be done to an envelope from outside the interface. */
export const partyActions = ["open", "sign", "reject", "acknowledge", "verify", "fail"] as const;
export type PartyAction = (typeof partyActions)[number];

/** Who did it, for the history. */
export interface Actor {
  ip: string;
  userAgent: string;
}

const service: Actor = { ip: "127.0.0.1", userAgent: "service" };

/** One envelope at one moment: everything that can happen to it. */
export class EnvelopeLifecycle {
  constructor(
    readonly context: Context,
    readonly account: Account,
    readonly envelope: Envelope,
    readonly actor: Actor = service,
    readonly when: Date = context.now,
  ) {}

  /** Processing is over: the envelope is sent. */
  send(): void {
    const { envelope, account } = this;
    delete envelope.ready;
    envelope.status = "sent";
    envelope.sent = this.#timestamp;
    const day = this.when.toISOString().slice(0, 10);
    // In the order of the days, whichever envelope was first.
    account.sent = Object.fromEntries(Object.entries({ ...account.sent, [day]: (account.sent[day] ?? 0) + 1 }).sort());
    this.#addHistory("The envelope was sent");
    this.#emit("send-envelope");
    this.#notifyNextParty();
  }

  /** Processing fails. The service itself finds no cause for it: what it cannot read it refuses at once. */
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

  /** The party signs; it is the next one's turn, or all is done. */
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

  /** The party declines, which ends the envelope. The specification has no status of its own for it; newer versions have. */
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

  /** A silent cancel: nobody is told. */
  expire(): void {
    this.#requireStatus(["draft", "processing", "sent"], 10276);
    delete this.envelope.ready;
    this.envelope.status = "expired";
    this.#addHistory("The envelope expired");
  }

  /** Asks a party to confirm the email address, as a signing widget on a page does. */
  verify(party: Party): void {
    this.#sendEmail("email-widget-verify", party);
  }

  /** It is the first waiting signer's turn. */
  #notifyNextParty(): void {
    const party = this.envelope.parties.find((p) => p.status === "waiting");
    if (!party) return;
    party.status = "in progress";
    this.envelope.reminded = this.#timestamp;
    this.#addHistory(`Sent to ${party.name} (${party.email})`);
    const asksPassword = this.context.settings.unlistedValues && this.envelope.password !== undefined;
    this.#sendEmail(asksPassword ? "email-send-password" : "email-send", party);
  }

  #requireTurn(party: Party): void {
    this.#requireStatus(["sent"], 10267);
    if (party.status !== "in progress") throwApiError(10267, `it is not ${party.name}'s turn`);
  }

  #requireStatus(statuses: Status[], code: Code): void {
    const { status } = this.envelope;
    if (!statuses.includes(status)) throwApiError(code, `its status is ${status}; allowed: ${statuses.join(", ")}`);
  }

  /** Parties who have heard of the envelope. */
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

/** The metadata as it was given. */
export function presentMeta({ meta, metaText }: Envelope): unknown {
  return metaText === undefined ? (meta ?? {}) : new JsonText(metaText);
}

/** Where a party signs. */
export function signingUrl(origin: string, envelope: Envelope, party: Party): string {
  return `${origin}/sign/${envelope.fingerprint}/${party.id}`;
}

type TimedStep = { at: number; run: (process: EnvelopeLifecycle) => void };

/** What time will do to the envelope next. */
function nextStep(envelope: Envelope): TimedStep | undefined {
  if (envelope.ready !== undefined) return { at: Date.parse(envelope.ready), run: (p) => p.send() };
  if (envelope.status !== "sent") return undefined;
  const after = (since: string | undefined, hours: number | undefined) =>
    since === undefined || hours === undefined
      ? Number.POSITIVE_INFINITY
      : parseTimestamp(since).getTime() + hours * HOUR;
  const expires = after(envelope.sent, envelope.expireHours);
  const reminds = after(envelope.reminded, envelope.remindHours);
  if (expires === Number.POSITIVE_INFINITY && reminds === Number.POSITIVE_INFINITY) return undefined;
  return expires <= reminds ? { at: expires, run: (p) => p.expire() } : { at: reminds, run: (p) => p.remind() };
}

/** Carries out everything that was due up to now, in the order of time; answers when the next thing is due. */
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
    next.run(new EnvelopeLifecycle(context, next.account, next.envelope, service, new Date(next.at)));
  }
}
