/**
 * The pictures behind declared addresses. The service copies a picture when it is sent the address, and its copy's address says
 * nothing: so the bytes are compared, by a hash. What cannot be read is never a change and never an error.
 */
import { type Definition, type Fields, isCopied } from "../core/resource-definition";
import { logAbout, type NewState, type ResourceContext, type WriteContext } from "./resource-context";

const copiedFields = (definition: Definition, fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([field, url]) => (isCopied(definition, field) && url ? [[field, url]] : []));

/** The fields whose picture has changed since it was sent, though its address has not. Says once which could not be compared. */
export async function changedPictures(context: ResourceContext, declared: Fields): Promise<string[]> {
  const { definition, session, detector } = context;
  const changed: string[] = [];
  for (const [field, url] of copiedFields(definition, declared)) {
    const { pictureHash } = detector.fieldStates[field] ?? {};
    if (pictureHash === undefined || detector.declared(field) !== url) continue;
    const picture = await session.pictures.hash(url);
    if (picture === undefined) continue;
    if ("hash" in picture) {
      if (picture.hash !== pictureHash) changed.push(field);
    } else if (session.pictures.isNews(url)) {
      logAbout(context, `the picture of ${field} was not compared with the one that was sent: ${picture.failure}`);
    }
  }
  return changed;
}

/** What is sent of an object that exists: not the address of a picture that is the account's already. */
export async function withoutSamePictures(
  { definition, session }: Pick<WriteContext, "definition" | "session">,
  sending: Fields,
  live: Fields,
): Promise<Fields> {
  const rest = { ...sending };
  for (const [field, url] of copiedFields(definition, sending)) {
    const address = live[field];
    if (!address) continue;
    const [declared, present] = await Promise.all([session.pictures.hash(url), session.pictures.hash(address)]);
    if (declared && present && "hash" in declared && "hash" in present && declared.hash === present.hash)
      delete rest[field];
  }
  return rest;
}

/** What is recorded after a write without a failure: with the hashes of the declared pictures that can be read. */
export async function withPictureHashes(
  { definition, session }: Pick<WriteContext, "definition" | "session">,
  declared: Fields,
  newState: NewState,
): Promise<NewState> {
  const fields = { ...newState.metadata.fields };
  for (const [field, url] of copiedFields(definition, declared)) {
    const picture = await session.pictures.hash(url);
    if (picture && "hash" in picture) fields[field] = { ...fields[field], pictureHash: picture.hash };
  }
  return { ...newState, metadata: { ...newState.metadata, fields } };
}
