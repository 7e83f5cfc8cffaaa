/** Names of resources may contain anything, `::` included: one parser of URNs, and none by hand. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, test } from "vitest";
import { driftSarif } from "../../cli/commands/drift/drift-report";
import { parseUrn, readUrn } from "../../definitions/urn";
import { user } from "../../definitions/user";
import { webhook } from "../../definitions/webhook";
import * as engine from "../../engine/resource/urn";
import { fc } from "../chance";

const name = fc
  .array(fc.constantFrom("::", ":", "$", "-", " ", "/", "shop", "nl", "é", "urn:pulumi:", "\n"), { maxLength: 8 })
  .map((parts) => parts.join(""));
const type = fc.constantFrom("esign:index:Webhook", "pulumi-nodejs:dynamic/esign:User", "t:T");

test("a URN is read as it was made, by both parsers", () => {
  fc.assert(
    fc.property(name, type, type, (name, parent, type) => {
      const urn = engine.createUrn("dev", "shop", parent, type, name);
      const parts = { stack: "dev", project: "shop", qualifiedType: `${parent}$${type}`, type, name };
      expect(parseUrn(urn)).toEqual(parts);
      expect({
        ...{ stack: engine.stackOf(urn), project: engine.projectOf(urn), qualifiedType: engine.qualifiedType(urn) },
        ...{ type: engine.typeOf(urn), name: engine.nameOf(urn) },
      }).toEqual(parts);
    }),
  );
});

test.each(["", "a", "urn:pulumi:dev::shop::t:T", "shop::nl::a::b", "http://a::b::c::d"])("no URN: %s", (text) => {
  expect(readUrn(text)).toBeUndefined();
  expect(() => parseUrn(text)).toThrow("URN");
});

describe("a resource's own name is what follows the name of its component:", () => {
  const parentOf = (component: string) => `urn:pulumi:dev::shop::esign:index:AccountConfig::${component}`;
  const state = { type: "esign:index:Webhook", id: "1", inputs: {}, outputs: {} };

  it("whatever both contain", () => {
    fc.assert(
      fc.property(name, name, (component, own) => {
        const resource = { ...state, name: `${component}-${own}`, parent: parentOf(component) };
        expect(webhook.fromState(resource).name).toBe(own);
        expect(user.fromState(resource).name).toBe(own);
      }),
    );
  });

  it("and all of it where the component is called otherwise", () => {
    expect(webhook.fromState({ ...state, name: "nl-hook", parent: parentOf("shop::nl") }).name).toBe("nl-hook");
    expect(webhook.fromState({ ...state, name: "hook" }).name).toBe("hook");
    expect(webhook.fromState({ ...state, name: "undefined-hook" }).name).toBe("undefined-hook");
  });
});

test("a report of drift has the whole name of a resource", () => {
  const change = {
    urn: "urn:pulumi:dev::p::esign:index:Webhook::shop::nl",
    kind: "Webhook",
    action: "remove",
    fields: [],
  };
  const report = {
    stack: "dev",
    lookedAt: "2026-01-01",
    changes: [change],
    resolved: [],
    datesOf: () => ({}),
    file: "f",
  };
  expect(JSON.stringify(driftSarif(report as never))).toContain('"shop::nl"');
});

test("no other file takes a URN apart", () => {
  const root = resolve(__dirname, "../..");
  const rooms: string[] = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")).include;
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("test/") && !file.includes("node_modules"))
      .map((file) => `${room}/${file}`),
  );
  expect(files.length).toBeGreaterThan(500);
  const parsers = files.filter((file) => /(?:split|[iI]ndexOf|at)\("::"/.test(readFileSync(join(root, file), "utf8")));
  expect(parsers.sort()).toEqual(["definitions/urn.ts", "engine/resource/urn.ts"]);
});
