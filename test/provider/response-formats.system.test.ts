/**
 * The same life at services with another format of responses, where the specification leaves it open: a gateway before the local
 * service rewrites what passes. Nothing may be made twice, changed for ever, or be stuck.
 */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Engine } from "../reliability/engine";
import { hooksHere } from "../reliability/hooks";
import { type Seen, serve } from "../sdk/server";
import { wired } from "./handlers";
import { onStage } from "./on-stage";
import type { Wanted } from "./programs";

const world = onStage();

type Body = Record<string, unknown>;

/** What a gateway does to answers, and undoes in paths and forms. */
interface Format {
  answer?(body: Body, asked: Seen): Body;
  text?(json: string): string;
  status?(status: number, asked: Seen): number;
  path?(path: string): string;
  gzip?: boolean;
  /** An update that changes nothing is refused, and each that changes something gets no answer. */
  isSaidOnce?: boolean;
  /** An update is answered with the record as it was before. */
  isOfBefore?: boolean;
}

const html = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
/** Rewrites every text of some members, however deep. */
const rewriting = (names: RegExp, rewrite: (text: string) => unknown) => (body: Body) =>
  JSON.parse(JSON.stringify(body), (name, value) =>
    names.test(name) && typeof value === "string" ? rewrite(value) : value,
  ) as Body;

const all =
  (...answers: ((body: Body) => Body)[]) =>
  (body: Body) =>
    answers.reduce((rewritten, answer) => answer(rewritten), body);
const oneLine = rewriting(/content/, (text) => text.replace(/\s+/g, " ").trim());

const far = 9_007_199_254_000_000_000n;
// What is independent shares a life.
const formats: Record<string, Format> = {
  "ids are integers beyond a number's precision, times are numbers, `test` of other keys is null, and sums over nothing are null; compressed":
    {
      text: (json) => json.replace(/("\w+_id":)"?(\d+)"?/g, (_, name, id) => name + (far + BigInt(id))),
      path: (path) => path.replace(/\/9\d{18}/, (id) => `/${BigInt(id.slice(1)) - far}`),
      answer: all(
        rewriting(/_(created|updated|added)$/, (time) => Date.parse(time.slice(0, 19)) / 1000),
        rewriting(/^sent$|_usage$/, (count) => (count === "0" ? null : count)),
        (body) => ({ ...body, test: null }),
      ),
      gzip: true,
    },
  "updates are silent": {
    answer: (body, { method }) => (method === "PUT" ? { http: 200, message: "Done." } : body),
  },
  "updates return the previous values": { isOfBefore: true },
  "texts, names and addresses are escaped": { answer: rewriting(/subject|content|company_name|webhook_url/, html) },
  "comments, styles and attributes are taken out of texts": {
    answer: rewriting(/content/, (text) => text.replace(/<!--.*?-->|<style>.*?<\/style>| class="[^"]*"/gs, "")),
  },
  "texts are whole pages, addresses are normalised, and colours have no #": {
    answer: all(
      rewriting(/content$/, (text) => text && `<html><head></head><body>${text}</body></html>`),
      rewriting(/webhook_url/, (text) => new URL(text).href),
      rewriting(/colour/, (text) => text.slice(1).toLowerCase()),
    ),
  },
  "what is gone is 400, with a message and no code": {
    status: (status, { method }) => (status === 404 && method !== "POST" ? 400 : status),
    answer: ({ code, ...body }) => (code === undefined ? body : { ...body, http: 400 }),
  },
  "what is gone is 404 without more": {
    answer: ({ code, http, ...body }) => (code === undefined ? { http, ...body } : body),
  },
  "what changes nothing is refused, also when the answer to its first try was lost": { isSaidOnce: true },
  "what changes nothing is refused, and texts are in one line": { isSaidOnce: true, answer: oneLine },
};

/** What the service has of the object that is asked for. */
async function record({ url, headers: { authorization } }: Seen): Promise<Body> {
  const [path, type] = url.split(/(?<=emails)\//);
  const body = (await (
    await fetch(world.service.url + path!, { headers: { authorization: authorization! } })
  ).json()) as Body;
  if (type === undefined) return body;
  return (body.branding_emails as Body[]).find(({ branding_email_type }) => branding_email_type === type)!;
}

async function gateway(format: Format): Promise<string> {
  const done = new Map<string, string>();
  const { url } = await serve(async (asked, _, response) => {
    const object = `${asked.url} ${asked.headers.authorization}`;
    const isSaidOnce = format.isSaidOnce === true && asked.method === "PUT";
    if (isSaidOnce && done.get(object) === asked.body)
      return { status: 400, body: { http: 400, message: "Nothing was changed." } };
    const old = format.isOfBefore && asked.method === "PUT" ? await record(asked) : {};
    const answer = await fetch(world.service.url + (format.path?.(asked.url) ?? asked.url), {
      method: asked.method,
      headers: { authorization: asked.headers.authorization!, "content-type": "application/x-www-form-urlencoded" },
      ...(asked.body !== "" && { body: asked.body }),
    });
    if (isSaidOnce && answer.ok) {
      done.set(object, asked.body);
      response.destroy();
      return undefined;
    }
    const body = { ...((await answer.json()) as Body), ...(answer.ok && old) };
    const json = JSON.stringify(format.answer?.(body, asked) ?? body);
    const text = format.text?.(json) ?? json;
    const status = format.status?.(answer.status, asked) ?? answer.status;
    response.writeHead(status, {
      "content-type": "application/json",
      ...(format.gzip && { "content-encoding": "gzip" }),
    });
    response.end(format.gzip ? gzipSync(text) : text);
    return undefined;
  });
  return url;
}

const program = (n: number): Wanted[] => [
  { kind: "Branding", name: "look", args: { colour: `#0b72e${n}` } },
  {
    kind: "BrandingEmail",
    name: "invitation",
    args: {
      type: "email-send",
      subject: `"Sign" & send ${n}`,
      content: `<!--[if mso]><i>${n}</i><![endif]--><style>p { margin: 1px }</style><p class="x">Hello  "you" &amp; me:\n{contract url}</p>\n<p>${n}<br>&nbsp;</p>\n`,
      contentPlain: `Hello <you> & me:\n\n{contract url} ${n}\n`,
    },
  },
  { kind: "Webhook", name: "bare", args: { type: n === 1 ? "all" : "add-user", url: "https://Receiver.example" } },
  { kind: "Webhook", name: "query", args: { type: "all", url: `https://receiver.example/ü?a=1&b=${n}` } },
  {
    kind: "Company",
    name: "firm",
    args: { name: `Firm & Söhne ${n}`, userName: "U", userEmail: "u@firm.example", deletionProtection: false },
  },
  { kind: "Webhook", name: "inside", args: { account: "firm", type: "all", url: `https://receiver.example/${n}` } },
];
const names = (n = 1) => program(n).map(({ name }) => name);

test.each(Object.entries(formats))("a whole life where %s", async (_, format) => {
  world.settings.baseUrl = await gateway(format);
  const { service } = world;
  const [before] = service.data().accounts;
  const theirs = () => {
    const [partner, ...others] = service.data().accounts;
    return { hooks: partner!.webhooks, firms: others.filter(({ parent }) => parent === partner!.id) };
  };
  const engine = new Engine();
  const up = async (n: number, on: Engine) => {
    const { failures, steps } = await on.up(program(n), hooksHere(world));
    expect(failures).toEqual([]);
    return steps.sort();
  };
  const refresh = async () => expect((await engine.refresh(hooksHere(world))).failures).toEqual([]);
  const doing = (verb: string, all: string[]) => all.map((name) => `${verb} ${name}`).sort();

  expect(await up(1, engine)).toEqual(doing("create", names()));
  await refresh();
  expect(await up(1, engine)).toEqual([]);
  expect(await up(2, engine)).toEqual(doing("update", names()));
  await refresh();
  expect(await up(2, engine)).toEqual([]);

  // A run that was killed before it could keep anything: everything exists, and is adopted.
  const forgetful = new Engine();
  expect(await up(2, forgetful)).toEqual(doing("create", names()));
  expect([theirs().hooks.length, theirs().firms.length]).toEqual([2, 1]);
  expect(await up(2, forgetful)).toEqual([]);

  // One that was killed before it could keep what it changed: the next one begins with the old state.
  const old = [...engine.state];
  const changed = await up(3, engine);
  for (const [name, kept] of old) engine.state.set(name, kept);
  expect(await up(3, engine)).toEqual(changed);

  // A webhook is deleted in the web app.
  const gone = theirs().hooks.find(({ type }) => type === "add-user");
  const key = service.keys.partner;
  const authorization = `Basic ${Buffer.from(`${key}:x`).toString("base64")}`;
  await fetch(`${service.url}/v1/webhooks/${gone!.id}`, { method: "DELETE", headers: { authorization } });
  await refresh();
  expect(await up(3, engine)).toEqual(["create bare"]);

  expect((await engine.destroy(hooksHere(world))).failures).toEqual([]);
  expect(engine.state.size).toBe(0);
  expect(theirs()).toEqual({ hooks: [], firms: [] });
  expect(service.data().accounts[0]!.branding.colour).toBe(before!.branding.colour);
});

test.each([null, ""])(
  "what later answers leave empty, as %j, stays in the state: a key that is shown once above all",
  async (nothing) => {
    const { company, webhook } = world.phase();
    const [firm, hook] = await Promise.all([
      company.create(wired("company", program(1).find(({ name }) => name === "firm")!.args)),
      webhook.create(wired("webhook", { type: "all", url: "https://receiver.example/" })),
    ]);
    world.settings.baseUrl = await gateway({
      answer: (body) =>
        JSON.parse(JSON.stringify(body), (name, value) => (/_key$|_created$/.test(name) ? nothing : value)),
    });
    const later = world.phase();
    const address = world.settings.baseUrl;
    const read = (state: Record<string, unknown>) => ({ ...state, __esign: { ...(state.__esign as object), address } });
    const [firmState, hookState] = [read(wired("company", firm.outs)), read(wired("webhook", hook.outs))];
    expect(firmState).toMatchObject({ apiKey: expect.stringMatching(/./), createdAt: expect.stringMatching(/^2/) });
    expect(wired("company", (await later.company.read(firm.id, firmState)).props!)).toEqual(firmState);
    expect(wired("webhook", (await later.webhook.read(hook.id, hookState)).props!)).toEqual(hookState);
    const renamed = await later.company.update(firm.id, firmState, { ...firmState, name: "Firm" });
    expect(wired("company", renamed.outs)).toMatchObject({ apiKey: (firmState as { apiKey?: string }).apiKey });
  },
);
