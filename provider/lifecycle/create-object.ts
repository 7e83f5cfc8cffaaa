/** Creates or adopts an object of a collection: a webhook or a company. */
import type { CreateLog } from "../core/object-list";
import { naturalKeyOf } from "../core/resource-definition";
import { isEquivalent } from "../state/drift";
import { type CreateContext, type CreateOutcome, logAbout } from "./resource-context";
import { journalName } from "./unconfirmed-writes";
import { writeDeclared } from "./write-declared";
import { write } from "./write-fields";

export async function createObject(create: CreateContext): Promise<CreateOutcome> {
  const { definition, account, args, declared, metadata } = create;
  const collection = definition.collection!;
  const onExisting = (args.onExisting ?? definition.defaults.onExisting) as "adopt" | "fail" | "create";
  const { item, how } = await collection.objects(account).creator.createOrAdopt({
    onExisting,
    match: (candidate) => collection.match(candidate, args),
    matchNew: (candidate) => collection.matchNew?.(candidate, args) ?? collection.match(candidate, args) === "same",
    isAlreadyExistsError: (error) => collection.isAlreadyExistsError?.(error) ?? false,
    post: () => collection.create(account, args),
    ...(onExisting !== "adopt" && { log: await createLogOf(create) }),
  });
  const key = definition.key(item, args);
  const context = { ...create, key, metadata: how === "adopted" ? { ...metadata, adopted: true } : metadata };
  if (how === "recovered") logAbout(context, "the response to its create was lost; the object was found");

  const { fields: live, outputs } = definition.fromApi(item);
  const missing = definition.secrets.filter((name) => outputs[name] === undefined);
  if (missing.length > 0) logAbout(context, `${missing.join(", ")} left empty: the API shows it only once`);
  // What the creating request could not carry, or what differs in the adopted object.
  const sending = Object.fromEntries(
    Object.entries(declared).filter(
      ([field, value]) =>
        !(how === "created" && collection.createFields.includes(field)) &&
        !isEquivalent(definition, field, value, live[field]),
    ),
  );
  if (how === "adopted") {
    const changes = Object.keys(sending);
    const what = changes.length === 0 ? "identical; nothing written" : `updating ${changes.join(", ")}`;
    logAbout(context, `adopted the existing one (${what})`);
  }
  // A failure must not lose the id of what was created.
  const isKept = () => true;
  const finish = () => write(context, sending, live);
  return { key, ...(await writeDeclared(context, { fields: live, outputs }, sending, {}, finish, isKept)) };
}

/** What the next run has to know of this create, should the state not include it. */
async function createLogOf({ definition, session, account, args, metadata }: CreateContext): Promise<CreateLog> {
  const { pendingCreates } = session;
  const instanceId = metadata.instanceId!;
  const name = await journalName({ definition, session, account, key: naturalKeyOf(definition, args), metadata });
  // What another stack of this folder has created is its own: its state includes that.
  const what = `${session.stack} ${name}`;
  const object = (id: string) => `${definition.kind} ${account.id(id)}`;
  return {
    hasUnfinished: () => pendingCreates.hasUnfinished(what),
    unfinished() {
      const created = pendingCreates.allCreated();
      return pendingCreates.unfinished(what).map(({ instanceId: previous, existing, createdObject }) => ({
        existing,
        mayHaveCreated: (id) =>
          createdObject === undefined
            ? !existing.includes(id) && !created.has(object(id))
            : createdObject === object(id),
        forget: () => pendingCreates.remove(previous),
      }));
    },
    begin: (existing) => pendingCreates.begin(what, instanceId, existing),
    created: (id) => pendingCreates.recordCreated(instanceId, object(id)),
    discard: () => pendingCreates.remove(instanceId),
  };
}
