/** Creates an object through the service: a webhook or a company. */

import { WriteFailure } from "../core/failure";
import type { CreateLog } from "../core/object-list";
import { type Fields, naturalKeyOf } from "../core/resource-definition";
import { DriftDetector, isEquivalent } from "../state/drift";
import type { FieldState } from "../state/metadata";
import type { CreateContext, CreateOutcome } from "./context";
import { fingerprintsOf, journalName } from "./unconfirmed-writes";
import { unchangedFailure, write } from "./write-fields";

export async function createObject(creation: CreateContext): Promise<CreateOutcome> {
  const { definition, session, account, args, declared, metadata } = creation;
  const life = definition.collection!;
  const onExisting = (args.onExisting ?? definition.defaults.onExisting) as "adopt" | "fail" | "create";
  const { item, how } = await life.objects(account).creator.createOrAdopt({
    onExisting,
    match: (wire) => life.match(wire, args),
    matchNew: (wire) => life.matchNew?.(wire, args) ?? life.match(wire, args) === "equal",
    isAlreadyExistsError: (error) => life.isAlreadyExistsError?.(error) ?? false,
    post: () => life.create(account, args),
    ...(onExisting !== "adopt" && { log: await notesOf(creation) }),
  });
  const key = definition.key(item, args);
  if (how !== "created") session.log(`${definition.kind} ${account.id(key)}: ${found[how]}`);
  if (how === "adopted") metadata.adopted = true;

  let { fields: live, outputs } = definition.fromApi(item);
  const unsaid = definition.secrets.filter((name) => outputs[name] === undefined);
  if (unsaid.length > 0) {
    session.log(
      `${definition.kind} ${account.id(key)}: the service does not show ${unsaid.join(", ")} again; it stays empty`,
    );
  }
  // What the creating request could not carry, or what the object that was taken over has otherwise.
  const sending = Object.fromEntries(
    Object.entries(declared).filter(
      ([field, value]) =>
        !(how === "created" && life.createFields.includes(field)) &&
        !isEquivalent(definition, field, value, live[field]),
    ),
  );
  let failure: unknown;
  if (Object.keys(sending).length > 0) {
    try {
      const written = await write({ definition, session, account, key }, sending, live);
      live = { ...live, ...written.fields };
      const given = Object.entries(written.outputs).filter(([, value]) => value !== undefined);
      outputs = { ...outputs, ...Object.fromEntries(given) };
      const { unchanged } = written;
      if (unchanged.length > 0) {
        failure = unchangedFailure(unchanged);
        for (const field of Object.keys(sending)) if (!unchanged.includes(field)) delete sending[field];
      }
    } catch (error) {
      failure = error;
      if (error instanceof WriteFailure && !error.isRejected)
        metadata.unconfirmed = fingerprintsOf({ definition, metadata }, sending, live);
    }
  }
  const detector = new DriftDetector(definition, {}, {});
  const traces: Record<string, FieldState> = {};
  const displayed: Fields = {};
  for (const [field, value] of Object.entries(declared)) {
    // A field that could not be written shows what is there, so that the next plan has it as a change.
    const isMissed = failure !== undefined && field in sending;
    displayed[field] = isMissed ? live[field] : value;
    if (!isMissed) traces[field] = detector.stateAfterWrite(field, value!, live[field] ?? value!);
  }
  return { key, newState: { displayed, outputs, metadata: { ...metadata, fields: traces } }, failure };
}

/** What the next run has to know of this creation, should the state not hear of it. */
async function notesOf({ definition, session, account, args, metadata }: CreateContext): Promise<CreateLog> {
  const { pendingCreates } = session;
  const born = metadata.instanceId!;
  const name = await journalName({ definition, session, account, key: naturalKeyOf(definition, args), metadata });
  // What another stack of this folder has made is its own: its state has heard of that.
  const what = `${session.stack} ${name}`;
  const object = (id: string) => `${definition.kind} ${account.id(id)}`;
  return {
    hasUnfinished: () => pendingCreates.hasUnfinished(what),
    unfinished() {
      const known = pendingCreates.allCreated();
      return pendingCreates.unfinished(what).map(({ instanceId: theirs, existing, createdId }) => ({
        existing,
        mayHaveCreated: (id) =>
          createdId === undefined ? !existing.includes(id) && !known.has(object(id)) : createdId === object(id),
        forget: () => pendingCreates.remove(theirs),
      }));
    },
    begin: (before) => pendingCreates.begin(what, born, before),
    created: (id) => pendingCreates.recordCreated(born, object(id)),
    discard: () => pendingCreates.remove(born),
  };
}

const found = {
  adopted: "an equal object existed already and is taken over",
  claimed: "the answer to its creation was lost; the object was found",
};
