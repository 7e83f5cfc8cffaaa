/**
 * Pictures: those behind declared addresses, and the account's copies of them. The service copies a picture when it is sent the
 * address, may encode it in another way, and its copy's address says nothing. So two bytes are compared with their own past:
 * those behind the declared address, and those of the copy. What cannot be read is never a change and never an error.
 */
import { type Fields, isCopied, type ResourceDefinition } from "../core/resource-definition";
import { type Copies, CopyIdentity, type DriftDetector } from "../state/drift";
import type { FieldState } from "../state/metadata";
import { logAbout, type NewState, type ResourceContext, type WriteContext } from "./resource-context";

const copiedFields = (definition: ResourceDefinition, fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([field, url]) => (isCopied(definition, field) && url ? [[field, url]] : []));

/** The fields whose picture has changed since it was sent, though its address has not. Says once which could not be compared. */
export async function changedPictures(context: ResourceContext, declared: Fields): Promise<string[]> {
  const { definition, detector } = context;
  const { pictures } = context.session.connection;
  const changed: string[] = [];
  for (const [field, url] of copiedFields(definition, declared)) {
    const { pictureHash } = detector.fieldStates[field] ?? {};
    if (pictureHash === undefined || detector.declared(field) !== url) continue;
    const picture = await pictures.hash(url);
    if (picture === undefined) continue;
    if ("hash" in picture) {
      if (picture.hash !== pictureHash) changed.push(field);
    } else if (pictures.isNews(url)) {
      logAbout(context, `the picture of ${field} was not compared with the one that was sent: ${picture.failure}`);
    }
  }
  return changed;
}

/** Why an update is needed for them; undefined if none has changed. */
export async function describeChangedPictures(context: ResourceContext, declared: Fields): Promise<string | undefined> {
  const changed = await changedPictures(context, declared);
  return changed.length === 0
    ? undefined
    : `the picture behind ${changed.join(", ")} has changed since it was sent; this update sends it again`;
}

/** What is sent of an object that exists: not the address of a picture that is the account's already. */
export async function withoutSamePictures(
  { definition, session }: Pick<WriteContext, "definition" | "session">,
  sending: Fields,
  live: Fields,
): Promise<Fields> {
  const { pictures } = session.connection;
  const rest = { ...sending };
  for (const [field, url] of copiedFields(definition, sending)) {
    const address = live[field];
    if (!address) continue;
    const [declared, present] = await Promise.all([pictures.hash(url), pictures.hashOfCopy(address)]);
    if (declared && present && "hash" in declared && "hash" in present && declared.hash === present.hash)
      delete rest[field];
  }
  return rest;
}

/** An object of the state, with the identities of the copies that the account has now. `saysWhy`: what cannot be compared is said, each reason once. */
export async function withCopies(
  context: ResourceContext,
  live: Fields,
  { saysWhy = false } = {},
): Promise<ResourceContext> {
  const { definition, detector } = context;
  const { pictures } = context.session.connection;
  const copies: Record<string, string> = {};
  for (const [field, address] of copiedFields(definition, live)) {
    if (!pictures.isOn || detector.declared(field) === undefined) continue;
    const found = await presentCopy(context, detector, field, address);
    if ("identity" in found) copies[field] = found.identity;
    else if (saysWhy && pictures.isNews(`copy: ${found.failure}`))
      logAbout(
        context,
        `the account's picture of ${field} was not compared with that of the last write: ${found.failure}`,
      );
  }
  return { ...context, detector: detector.withCopies(copies) };
}

/** Says which pictures the account has in place of those after the last write. */
export function logOtherCopies(context: ResourceContext, detector: DriftDetector, live: Fields): void {
  for (const field of detector.managedFields.filter((name) => live[name] && detector.hasOtherCopy(name)))
    logAbout(context, `the account has another picture of ${field} than after the last write`);
}

type FoundCopy = { identity: string } | { failure: string };

/** The account's copy, as the recorded one is identified. */
async function presentCopy(
  context: ResourceContext,
  { fieldStates }: DriftDetector,
  field: string,
  address: string,
): Promise<FoundCopy> {
  const recorded = fieldStates[field]?.copy;
  if (recorded === undefined) return { failure: "none is recorded. The next write of the resource records it" };
  if (CopyIdentity.pictureIn(recorded) !== undefined) return identityOfPicture(context, address);
  const identity = CopyIdentity.ofAddress(address);
  return identity === recorded ? { identity } : identityOfAddress(context, field, address);
}

async function identityOfPicture(
  { session }: Pick<WriteContext, "session">,
  url: string,
  options = {},
): Promise<FoundCopy> {
  const picture = await session.connection.pictures.hashOfCopy(url, options);
  if (picture === undefined) return { failure: "pictures are not compared" };
  return "hash" in picture ? { identity: CopyIdentity.ofPicture(picture.hash) } : picture;
}

/** The identity by an address that a second read confirms. */
async function identityOfAddress(
  { definition, account, key }: Pick<WriteContext, "definition" | "account" | "key">,
  field: string,
  address: string,
): Promise<FoundCopy> {
  const identity = CopyIdentity.ofAddress(address);
  const item = await definition.read(account, key, 0).catch(() => undefined);
  const again = item === undefined ? undefined : definition.fromApi(item).fields[field];
  if (again && CopyIdentity.ofAddress(again) === identity) return { identity };
  return { failure: "its address is another one at each read, and it cannot be read" };
}

/**
 * What is recorded after a write without a failure: with the hashes of the declared pictures, and the identities of the account's
 * copies. `sent`: what was written; of other fields, what is recorded stays.
 */
export async function recordPictures(
  context: Pick<WriteContext, "definition" | "session" | "account" | "key">,
  declared: Fields,
  sent: Fields,
  newState: NewState,
): Promise<NewState> {
  const { definition } = context;
  const { pictures } = context.session.connection;
  const fields = { ...newState.metadata.fields };
  for (const [field, url] of copiedFields(definition, declared)) {
    const picture = await pictures.hash(url);
    if (picture && "hash" in picture) fields[field] = { ...fields[field], pictureHash: picture.hash };
  }
  const copies = await newCopies(context, declared, fields, sent, newState);
  for (const [field, copy] of Object.entries(copies)) fields[field] = { ...fields[field], copy };
  return { ...newState, metadata: { ...newState.metadata, fields } };
}

/** The identities of the copies that are not recorded yet. */
async function newCopies(
  context: Pick<WriteContext, "definition" | "session" | "account" | "key">,
  declared: Fields,
  fieldStates: Record<string, FieldState>,
  sent: Fields,
  { outputs }: NewState,
): Promise<Copies> {
  const { definition } = context;
  const { pictures } = context.session.connection;
  const copies: Record<string, string> = {};
  for (const [field] of copiedFields(definition, declared)) {
    const address = outputs[definition.fields[field]!.copiedTo!];
    if (!pictures.isOn || typeof address !== "string" || address === "") continue;
    const isSent = field in sent;
    if (!isSent && fieldStates[field]?.copy !== undefined) continue;
    const picture = await identityOfPicture(context, address, { isNew: isSent });
    const found = "identity" in picture ? picture : await identityOfAddress(context, field, address);
    if ("identity" in found) copies[field] = found.identity;
  }
  return copies;
}

/** What a refresh records: the identities of copies that the state has nothing of, since it was imported. */
export async function withImportedCopies(
  context: ResourceContext,
  live: Fields,
  newState: NewState,
): Promise<NewState> {
  const { definition, detector } = context;
  const isImported = ([field]: [string, string]) =>
    detector.fieldStates[field] === undefined && newState.displayed[field] !== undefined;
  const imported = Object.fromEntries(copiedFields(definition, live).filter(isImported));
  const fields = { ...newState.metadata.fields };
  for (const [field, copy] of Object.entries(await newCopies(context, imported, fields, {}, newState)))
    fields[field] = { ...fields[field], copy };
  return { ...newState, metadata: { ...newState.metadata, fields } };
}
