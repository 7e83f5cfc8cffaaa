import { describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  allEndpoints,
  brandingEmailTypes,
  type Edition,
  emailTypesOf,
  emailVariablesOf,
  envelopeStatuses,
  unspecifiedEmailTypes,
  unspecifiedEnvelopeStatuses,
  unspecifiedWebhookTypes,
  webhookTypes,
} from "../../sdk";
import { metaLimit } from "../../sdk/api/envelopes";
import { namesBeyond } from "../../sdk/edition";
import { parseWith } from "../../sdk/parse-rules";
import * as current from "../fixtures/current-interface";
import * as specification from "../fixtures/specification";

const rows = [...specification.endpoints, ...current.endpoints];

const place = (one: { group: string; operation: string }) => `${one.group}.${one.operation}`;
const shapeOf = (schema: z.ZodType) => (schema as z.ZodObject).shape as Record<string, z.ZodType>;
/** The specification calls a parameter `{id}` where it means the object's id. */
const asWritten = (path: string) => path.replace(/\{(webhook|company)_id\}/, "{id}");

test("the lists of values are the specification's", () => {
  expect([...brandingEmailTypes]).toEqual([...specification.brandingEmailTypes, ...unspecifiedEmailTypes]);
  const variables = (edition: Edition) => emailVariablesOf(edition).map((name) => `{${name}}`);
  expect(variables("specification")).toEqual(specification.brandingEmailVariables);
  expect(variables("current")).toEqual([...specification.brandingEmailVariables, "{company logo}", "{party message}"]);
  expect(emailTypesOf("specification")).toEqual(specification.brandingEmailTypes);
  expect([...webhookTypes]).toEqual([...specification.webhookTypes, ...unspecifiedWebhookTypes]);
  expect([...envelopeStatuses]).toEqual([...specification.envelopeStatuses, ...unspecifiedEnvelopeStatuses]);
  expect(metaLimit).toBe(specification.limits.metaCharactersLessThan - 1);
});

test("there is exactly one endpoint for every row", () => {
  expect(allEndpoints.map(place).sort()).toEqual(rows.map(({ name }) => name).sort());
});

describe.each(rows)("$name", (row) => {
  const { endpoint } = allEndpoints.find((one) => place(one) === row.name)!;
  const form = shapeOf(endpoint.form);

  test("method, path, section, rights and status agree", () => {
    expect(endpoint).toMatchObject({ method: row.method, section: row.section, partner: row.partner ?? false });
    expect(asWritten(endpoint.path)).toBe(row.path);
    expect(endpoint.success).toBe(row.status ?? 200);
    expect(endpoint.edition).toBe(row.edition);
    expect(Object.keys(endpoint.params.shape).map((param) => asWritten(`{${param}}`).slice(1, -1))).toEqual(row.params);
    // No POST or PATCH may be retried blindly, nor a call that sends an email each time.
    expect(endpoint.idempotent).toBe(!["POST", "PATCH"].includes(row.method) && row.name !== "envelopes.remind");
  });

  test("the form has these fields and no others, required and bounded like these", () => {
    const beyond = namesBeyond("specification", form);
    const names = Object.keys(form).filter((name) => !beyond.includes(name));
    expect(names.sort()).toEqual(Object.keys(row.form ?? {}).sort());
    for (const [field, { required, good, bad, slips = [] }] of Object.entries(row.form ?? {})) {
      const accepts = (value: unknown) => form[field]!.safeParse(value).success;
      expect(accepts(undefined), `${field} absent`).toBe(required !== true);
      if (required === "current") {
        const others = Object.entries(row.form ?? {}).filter(([name]) => name !== field);
        const without = Object.fromEntries(others.map(([name, other]) => [name, other.good[0]]));
        const accepting = (edition: Edition) => parseWith({ edition }, () => endpoint.form.safeParse(without).success);
        expect([accepting("specification"), accepting("current")], `${field} absent`).toEqual([true, false]);
      }
      for (const value of good) expect(accepts(value), `${field} = ${JSON.stringify(value)}`).toBe(true);
      for (const value of [...bad, ...slips]) expect(accepts(value), `${field} = ${JSON.stringify(value)}`).toBe(false);
    }
    if (row.oneOf !== undefined) expect(endpoint.form.safeParse({}).success).toBe(false);
  });

  test("the response's members are declared, with IDs and totals as strings or numbers", () => {
    const reply = shapeOf(endpoint.response);
    for (const member of row.reply) expect(Object.keys(reply), member).toContain(member);
    for (const member of Object.keys(reply).filter((m) => m.endsWith("_id"))) {
      expect(reply[member]!.parse("17")).toBe("17");
      expect(reply[member]!.parse(17)).toBe("17");
    }
    for (const member of Object.keys(reply).filter((m) => m.startsWith("total_"))) {
      expect(reply[member]!.parse("17")).toBe(17);
      expect(reply[member]!.parse(17)).toBe(17);
    }
    for (const member of Object.keys(reply).filter((m) => /_(created|updated|added|queued|sent|date)$/.test(m))) {
      const time = "2024-05-06T07:08:09+0000";
      expect(reply[member]!.parse(time), member).toBe(time);
      // Nothing rather than something wrong; and the object itself is not lost for it.
      expect(reply[member]!.safeParse("yesterday").data, member).toBe(undefined);
    }
  });

  test("the list's place and its items' members agree", () => {
    expect(endpoint.list === undefined).toBe(row.list === undefined);
    if (endpoint.list === undefined || row.list === undefined) return;
    expect(endpoint.list).toMatchObject({ items: row.list.items, total: row.list.total });
    const items = shapeOf(endpoint.response)[row.list.items] as unknown as { element: z.ZodObject };
    for (const member of row.list.item) expect(Object.keys(items.element.shape), member).toContain(member);
    expect(row.list.item).toContain(endpoint.list.id);
  });
});
