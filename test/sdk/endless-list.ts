/** A list of so many webhooks, read page by page: `npm run bench growth` measures how the time grows with their number. */
import { api } from "../../sdk/api/index";
import { PageCursor } from "../../sdk/pagination/page-cursor";
import { compileEndpoint } from "../../sdk/request/validate-input";

export const listEndpoint = compileEndpoint("webhooks.list", api.webhooks.list);

export function readList(count: number): void {
  const cursor = new PageCursor(listEndpoint, 1, 1000, { firstOffset: 1, pageSize: 1000, bodies: "specification" });
  let read = 0;
  while (read < count) {
    const from = cursor.offset ?? 1;
    const webhooks = Array.from({ length: 1000 }, (_, i) => ({ webhook_id: String(from + i) }));
    read += (cursor.accept({ limit: 1000, webhooks }).newPage!.webhooks as unknown[]).length;
  }
}
