/**
 * What an answer of a webhook's URL comes from. Only 200 counts as success, and other answers often come from something in front of the
 * receiver.
 */

const page = 'docs/reference/receiver.md, "What acts before the receiver"';
const redirect =
  "the URL leads to another one, and notifications follow no redirect: register the URL that answers itself";
const proxy = "a proxy is in front, and the server behind it does not answer it";

const causes: Readonly<Record<number, string>> = {
  301: redirect,
  302: redirect,
  303: redirect,
  307: redirect,
  308: redirect,
  400: "the server takes it for no notification: a form and JSON must both reach the receiver as they are",
  401: "the secret of the receiver is another one, its clock is wrong, or a login is in front of the URL; the receiver's stderr says which",
  403: `an origin check or a firewall acts before the receiver. SvelteKit: csrf: { trustedOrigins: ["*"] }; Astro: security: { checkOrigin: false }; others: ${page}`,
  404: "no route has this path (a base path, a prefix, a page that is rendered at build time), or the receiver is not deployed",
  405: "the route accepts GET only: POST must reach the receiver, too",
  411: "a proxy leaves out Content-Length",
  413: `a limit on bodies acts before the receiver: Express's and Nest's parsers stop at 100 kB, nginx at 1 MB (client_max_body_size). See ${page}`,
  415: "the server accepts no form fields: notifications are application/x-www-form-urlencoded or application/json",
  429: "something in front limits the rate",
  500: `the receiver or its handler fails; its stderr says why. If it is raw-body-missing, see ${page}`,
  502: proxy,
  503: "the receiver has no secret yet (secrets-missing), its handler took longer than handleWithinSeconds, or the server is overloaded: the receiver's stderr says which",
  504: proxy,
};

/** The likely cause of an answer to a notification; undefined for 200, and for what says it itself. */
export function likelyCause(status: number | string | undefined): string | undefined {
  if (typeof status !== "number" || status === 200) return undefined;
  if (status > 200 && status < 300) return "it counts as no answer: the service wants exactly 200";
  return causes[status];
}
