import type { ServerResponse } from "node:http";
import { write } from "./answer";
import type { Backstage } from "./site";
export function statusPage(_: Backstage, response: ServerResponse): void {
  write(response, 200, "", "text/html");
}
