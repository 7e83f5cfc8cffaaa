/** The control endpoints, with which tests in any language drive the emulator: JSON, outside the API. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { InvalidAction } from "../domain/api-errors";
import { readBody } from "../http/request-body";
import { write } from "../http/send-response";
import { ControlError, controls, throwNotFound } from "./control-routes";
import type { PageContext } from "./page-context";

const patterns = controls.map((route) => ({
  route,
  pattern: new RegExp(`^/_control${route.path.replace(/:\w+/g, "([^/]+)")}/?$`),
}));

/** Handles a request to a control endpoint. */
export async function handleControl(
  page: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const send = (status: number, body: unknown) => write(response, status, `${JSON.stringify(body, null, 2)}\n`);
  try {
    const candidates = patterns.filter(({ pattern }) => pattern.test(url.pathname));
    const match = candidates.find(({ route }) => route.method === request.method);
    if (!match) {
      const message = "This control endpoint does not exist; GET /_control lists all.";
      send(candidates.length > 0 ? 405 : 404, { message });
      return;
    }
    const text = (await readBody(request)).toString("utf8");
    const body = text === "" ? undefined : parseJson(text);
    const parts = match.pattern.exec(url.pathname)!.slice(1).map(decodePart);
    const result = await match.route.run({ ...page, parts, body, response });
    if (result !== undefined) send(200, result);
  } catch (error) {
    if (error instanceof ControlError) send(error.status, { message: error.message });
    else if (error instanceof InvalidAction) send(400, { message: error.message });
    else throw error;
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return throwNotFound(`${part} does not exist: it is not percent-encoded UTF-8.`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError(400, "The body must be JSON.");
  }
}
