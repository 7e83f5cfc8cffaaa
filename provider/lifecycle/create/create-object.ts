/** Creates or adopts an object of a collection. */

import { onlyAtCreation } from "../../core/resource-definition";
import { effectOfAdoption, effectOfCreation, missingValues, withReplaced } from "../../plan/create-effect";
import { describeAdoption } from "../../plan/describe-effects";
import { type CreateContext, type CreateOutcome, logAbout } from "../resource-context";
import { writeDeclared } from "../write-declared";
import { writeFields } from "../write-fields";
import { createRequest } from "./create-request";

export async function createObject(create: CreateContext): Promise<CreateOutcome> {
  const { definition, session, account, args, declared, metadata, writes, isReplacement = false } = create;
  const collection = definition.collection!;
  const request = await createRequest(create);
  const { item, how, identical } = await collection.objects(account).creator.createOrAdopt(request);
  const wasPending = how === "recovered" && writes.count === 0;
  const key = definition.key(item, args);
  const context = { ...create, key, metadata: how === "adopted" ? { ...metadata, adopted: true } : metadata };
  // Whether that was interrupted, or the state has it and it is being replaced, not every engine says.
  const lost = wasPending ? "an earlier run has created it" : "the response to its create was lost";
  if (how === "recovered") logAbout(context, `${lost}; the object was found${withoutOnce(context)}`);

  const { fields: live, outputs } = definition.fromApi(item);
  const { returnedOnce = [], secrets } = definition;
  if (returnedOnce.some((name) => outputs[name] !== undefined)) session.run.returnsOnce.add(definition.kind);
  const missing = secrets.filter((name) => outputs[name] === undefined && !returnedOnce.includes(name));
  if (missing.length > 0) logAbout(context, `${missing.join(", ")} left empty: the API shows it only once`);
  // What the creating request could not carry, or what differs in the adopted object.
  const sending = missingValues(definition, declared, live, how === "created" ? collection.createFields : []);
  if (how === "adopted" || wasPending) await definition.guard?.(account, { key, fields: sending, isPreview: false });
  // A failure must not lose the id of what was created.
  const isKept = () => true;
  const finish = () => writeFields(context, sending, live);
  const effect =
    how === "adopted" || wasPending
      ? withReplaced(
          effectOfAdoption({ definition, id: account.id(key) }, sending, live, undefined, wasPending),
          isReplacement,
        )
      : effectOfCreation(create, identical, account.id(key));
  // Where effects are shown, that is one.
  const adoption =
    how === "adopted" && !session.reporting.effects.hasReader ? describeAdoption(effect, "done") : undefined;
  if (adoption !== undefined) logAbout(context, adoption);
  return { key, effect, ...(await writeDeclared(context, { fields: live, outputs }, sending, {}, finish, isKept)) };
}

/** What is missing of an object whose response was lost. Whether the service has it at all, other objects show. */
function withoutOnce({
  definition: { kind, returnedOnce = [] },
  session,
}: Pick<CreateContext, "definition" | "session">) {
  if (returnedOnce.length === 0) return "";
  const names = returnedOnce.join(", ");
  return session.run.returnsOnce.has(kind)
    ? `, without a ${names}: ${onlyAtCreation}`
    : `. If this service returns a ${names} at creation, it was in that response`;
}
