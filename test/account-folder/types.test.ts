/** The types of resources in states and URNs, which never change. */
import { expect, test } from "vitest";
import { dynamicTypeOf, kindNameOf, pluginTypeOf } from "../../definitions/kind";

test("both forms of a resource are of one kind", () => {
  expect(dynamicTypeOf("Webhook")).toBe("pulumi-nodejs:dynamic/esign:Webhook");
  expect(pluginTypeOf("Webhook")).toBe("esign:index:Webhook");
  expect([dynamicTypeOf("Webhook"), pluginTypeOf("Webhook")].map(kindNameOf)).toEqual(["Webhook", "Webhook"]);
});

test.each([
  "pulumi:providers:esign",
  "esign:index:AccountConfig",
  "esign:index:SubAccount",
  "aws:index:Webhook",
  "esign:index:Web/hook",
  "xesign:index:Webhook",
])("%s is another type", (type) => expect(kindNameOf(type)).toBeUndefined());
