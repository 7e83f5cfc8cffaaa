/** What all responses have in common: headers, the error of an unknown URL, whether browsers may read them. */
import { api } from "../sdk/api/index";
import { traits } from "../sdk/edition";
import { aspect, byEdition, type Fact } from "./fact";
import { type Reply, refusalOf, type Sender, succeeded } from "./sender";

const where = "all responses";
const unknownPath = "/v1/esign-conformance";
const browserOrigin = "https://browser.example";

export async function compareAll(sender: Sender, onError: (reply: Reply) => void): Promise<Fact[]> {
  const unknown = await sender.get(unknownPath);
  onError(unknown);
  const [code = "", status = ""] = succeeded(unknown) ? ["success", "status 200"] : refusalOf(unknown);
  const asked = await sender.get(api.branding.get.path, { origin: browserOrigin });
  return [
    aspect(
      where,
      "unknown URL",
      [code],
      byEdition((edition) => {
        const { unknownUrlCode } = traits[edition];
        return [unknownUrlCode === null ? "no code" : `code ${unknownUrlCode}`];
      }),
    ),
    aspect(where, "unknown URL: status", [status]),
    aspect(where, "request of a browser", [succeeded(asked) ? "success" : refusalOf(asked)[0]!]),
    aspect(
      where,
      "sites that may read",
      [sitesOf(asked)],
      byEdition((edition) => (traits[edition].isClosedToBrowsers ? ["none"] : undefined)),
    ),
    aspect(
      where,
      "Content-Type",
      contentTypes(sender.replies),
      byEdition((edition) => {
        const { contentType } = traits[edition];
        return contentType === undefined ? undefined : [contentType];
      }),
    ),
    aspect(where, "headers about rate limits", limitHeaders(sender.replies)),
  ];
}

/** By the CORS header. */
function sitesOf({ headers }: Reply): string {
  const allowed = headers["access-control-allow-origin"];
  if (allowed === undefined) return "none";
  return allowed === "*" ? "all" : allowed === browserOrigin ? "the one that asks" : "another";
}

/** Of the service's own JSON: a gateway may answer for it. Other types than these are not named. */
function contentTypes(replies: readonly Reply[]): string[] {
  const types = replies
    .filter(({ body, status }) => body !== undefined && status < 429)
    .map(({ headers }) => String(headers["content-type"]));
  return [...new Set(types.map((type) => (contentType.test(type) ? type : "another type")))].sort();
}

export const contentType = /^application\/(problem\+)?json(; ?charset=utf-8)?$/i;

/** Names, such as `x-ratelimit-remaining`, and limits. */
export const limitHeader = /^(x-)?rate-?limit(-[a-z]{1,20}){0,3}(: \d{1,6})?$/;

function limitHeaders(replies: readonly Reply[]): string[] {
  const found = replies.flatMap(({ headers }) =>
    Object.entries(headers).map(([name, value]) =>
      name.endsWith("limit") && /^\d{1,6}$/.test(String(value)) ? `${name}: ${value}` : name,
    ),
  );
  const shown = new Set(found.filter((header) => limitHeader.test(header)));
  return shown.size === 0 ? ["none"] : [...shown].sort();
}
