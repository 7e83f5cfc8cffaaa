/** The ID by which the service knows a request. */
import type { HttpResponse } from "../http/send";

/** In the header that gateways and frameworks use; of another form it is not passed on. */
export function requestIdIn({ headers }: HttpResponse): string | undefined {
  const id = [headers["x-request-id"], headers["request-id"]].flat().find((value) => value !== undefined);
  return id !== undefined && /^[\w.:=/+-]{1,128}$/.test(id) ? id : undefined;
}
