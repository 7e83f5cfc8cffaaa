/** Which responses say that an object does not exist, and which may. */
import type { ApiError } from "../../sdk/errors";

/**
 * Statuses with which services answer a request for an object that does not exist, besides the known codes: the
 * specification is silent about it. Each may mean something else, so the list must lack the object, too.
 */
export const statusesOfMissing = new Set([400, 404, 410, 422]);
/** A code comes from the API; a bare status may come from anything in between. */
export const isSurelyGone = (error: ApiError) => error.isNotFound && error.code !== undefined;
