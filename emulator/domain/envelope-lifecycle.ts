/** What becomes of an envelope after its creation (§3): by time, by its parties and by its sender. */
import { formatTimestamp, parseTimestamp } from "../../sdk/api/scalars";
import { JsonText } from "./big-ids-json";
import type { World } from "./context";
import type { EmailType, EventType, Status } from "./enums";
import { type Code, throwApiError } from "./errors";
import { renderEmail, type Values } from "./outbox";
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
export class Process {
  constructor(
    readonly world: World,
    readonly account: Account,
    readonly envelope: Envelope,
    readonly actor: Actor = service,
    readonly when: Date = world.now,
  ) {}

  /** Processing is over: the envelope is sent. */
  process(): void {
    const { envelope, account } = this;
    delete envelope.ready;
    envelope.status = "sent";
    envelope.sent = this.#stamp;
    const day = this.when.toISOString().slice(0, 10);
    // In the order of the days, whichever envelope was first.
    account.sent = Object.fromEntries(Object.entries({ ...account.sent, [day]: (account.sent[day] ?? 0) + 1 }).sort());
    this.#note("The envelope was sent");
    this.#tell("send-envelope");
    this.#turn();
  }

  /** Processing fails. The service itself finds no cause for it: what it cannot read it refuses at once. */
  fail(): void {
    this.#only(["draft", "processing"], 10267);
    delete this.envelope.ready;
    this.envelope.status = "failed";
    this.#note("Processing failed");
  }

  open(party: Party): void {
    this.#active(party);
    this.#note(`Opened by ${party.name}`);
    this.#tell("opened-envelope", party);
  }

  /** The party signs; it is the next one's turn, or all is done. */
  sign(party: Party): void {
    const { envelope } = this;
    this.#active(party);
    party.status = "signed";
    for (const document of envelope.documents) {
      for (const field of document.fields) {
        if (field.party === party.id && field.type === "date") field.value = this.when.toISOString().slice(0, 10);
      }
    }
    this.#note(`Signed by ${party.name}`);
    this.#tell("signed-envelope", party);
    if (envelope.parties.some((p) => p.status === "waiting")) {
      this.#turn();
      return;
    }
    envelope.status = "signed";
    delete envelope.reminded;
    this.#note("The envelope is complete");
    this.#tell("signed-envelope-complete");
    for (const reader of envelope.parties) this.#mail("email-signed", reader);
  }

  /** The party declines, which ends the envelope. The specification has no status of its own for it; newer versions have. */
  reject(party: Party): void {
    this.#active(party);
    party.status = "rejected";
    this.envelope.status = this.world.settings.unlistedValues ? "rejected" : "cancelled";
    this.#note(`Rejected by ${party.name}`);
    this.#tell("rejected-envelope", party);
    for (const other of this.#reached()) this.#mail("email-rejected", other);
  }

  acknowledge(party: Party): void {
    this.#note(`Acknowledged by ${party.name}`);
  }

  remind(): void {
    this.#only(["sent"], 10275);
    const party = this.envelope.parties.find((p) => p.status === "in progress");
    if (!party) return;
    this.envelope.reminded = this.#stamp;
    this.#note(`${party.name} was reminded`);
    this.#mail(this.envelope.password === undefined ? "email-reminder" : "email-reminder-password", party);
  }

  cancel(): void {
    this.#only(["draft", "processing", "sent"], 10274);
    delete this.envelope.ready;
    this.envelope.status = "cancelled";
    this.#note("The envelope was cancelled");
    this.#tell("cancelled-envelope");
    for (const party of this.#reached()) this.#mail("email-cancelled", party);
  }

  /** A silent cancel: nobody is told. */
  expire(): void {
    this.#only(["draft", "processing", "sent"], 10276);
    delete this.envelope.ready;
    this.envelope.status = "expired";
    this.#note("The envelope expired");
  }

  /** Asks a party to confirm the e-mail address, as a signing widget on a page does. */
  verify(party: Party): void {
    this.#mail("email-widget-verify", party);
  }

  /** It is the first waiting signer's turn. */
  #turn(): void {
    const party = this.envelope.parties.find((p) => p.status === "waiting");
    if (!party) return;
    party.status = "in progress";
    this.envelope.reminded = this.#stamp;
    this.#note(`Sent to ${party.name} (${party.email})`);
    const asksPassword = this.world.settings.unlistedValues && this.envelope.password !== undefined;
    this.#mail(asksPassword ? "email-send-password" : "email-send", party);
  }

  #active(party: Party): void {
    this.#only(["sent"], 10267);
    if (party.status !== "in progress") throwApiError(10267, `it is not the turn of ${party.name}`);
  }

  #only(statuses: Status[], code: Code): void {
    const { status } = this.envelope;
    if (!statuses.includes(status)) throwApiError(code, `its status is ${status}; possible in ${statuses.join(", ")}`);
  }

  /** Parties who have heard of the envelope. */
  #reached(): Party[] {
    return this.envelope.parties.filter((party) => party.status === "in progress" || party.status === "signed");
  }

  get #stamp(): string {
    return formatTimestamp(this.when);
  }

  #note(detail: string): void {
    this.envelope.history.unshift({ detail, ip: this.actor.ip, userAgent: this.actor.userAgent, date: this.#stamp });
    this.world.changed(this.account, this.envelope);
  }

  #tell(type: EventType, party?: Party): void {
    const { envelope } = this;
    this.world.tell(this.account, type, this.#stamp, {
      envelope: {
        envelope_fingerprint: envelope.fingerprint,
        envelope_title: envelope.title,
        envelope_status: envelope.status,
        envelope_created: envelope.created,
        envelope_sent: envelope.sent ?? null,
        envelope_meta: shownMeta(envelope),
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

  #mail(type: EmailType, party: Party): void {
    const { envelope, world, account } = this;
    const values: Values = {
      "client name": party.name,
      "contract title": envelope.title,
      "contract url": signingAddress(world.url, envelope, party),
      "acknowledge url": `${world.url}/acknowledge/${envelope.fingerprint}/${party.id}`,
      "contract password": envelope.password,
      "contract intro": party.message,
      "widget verify url": `${world.url}/verify/${envelope.fingerprint}/${party.id}`,
    };
    const email = renderEmail(account, type, party.email, values, {
      id: world.newId(),
      date: this.#stamp,
      envelope: envelope.fingerprint,
    });
    world.effects.push({ email });
  }
}

/** The metadata as it was given. */
export function shownMeta({ meta, metaText }: Envelope): unknown {
  return metaText === undefined ? (meta ?? {}) : new JsonText(metaText);
}

/** Where a party signs. */
export function signingAddress(origin: string, envelope: Envelope, party: Party): string {
  return `${origin}/sign/${envelope.fingerprint}/${party.id}`;
}

type Step = { at: number; run: (process: Process) => void };

/** What time will do to the envelope next. */
function nextStep(envelope: Envelope): Step | undefined {
  if (envelope.ready !== undefined) return { at: Date.parse(envelope.ready), run: (p) => p.process() };
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
export function tick(world: World): number {
  const now = world.now.getTime();
  for (;;) {
    let next: (Step & { account: Account; envelope: Envelope }) | undefined;
    for (const account of world.data.accounts) {
      for (const envelope of account.envelopes) {
        const step = nextStep(envelope);
        if (step && (!next || step.at < next.at)) next = { ...step, account, envelope };
      }
    }
    if (!next || next.at > now) return next?.at ?? Number.POSITIVE_INFINITY;
    next.run(new Process(world, next.account, next.envelope, service, new Date(next.at)));
  }
}
