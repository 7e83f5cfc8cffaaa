/** IDs of objects in states: the key of an object in its account; within a subaccount `<company's id>/<key>`. */

interface ObjectId {
  /** The subaccount's; absent for the configured account. */
  companyId?: string | undefined;
  key: string;
}

export function splitId(id: string): ObjectId {
  const slash = id.indexOf("/");
  return slash < 0 ? { key: id } : { companyId: id.slice(0, slash), key: id.slice(slash + 1) };
}

export const joinId = ({ companyId, key }: ObjectId): string => (companyId === undefined ? key : `${companyId}/${key}`);

/** The key alone. */
export const keyOfId = (id: string): string => splitId(id).key;
