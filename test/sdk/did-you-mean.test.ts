/** Which name is suggested for one that is unknown: everywhere by one rule. */
import { expect, test } from "vitest";
import { closeMatch } from "../../sdk/text/did-you-mean";

const names = ["name", "url", "email", "webhook_url", "party_email_address", "deletionProtection"];

test.each([
  ["uri", "url"],
  ["nmae", "name"],
  ["emial", "email"],
  ["webhok_ulr", "webhook_url"],
  ["party_mail_adress", "party_email_address"],
  ["DELETIONPROTECTON", "deletionProtection"],
  [" name ", "name"],
  // Two of four letters, a part of a name, no letter at all.
  ["date", undefined],
  ["party", undefined],
  ["i", undefined],
  ["", undefined],
  ["x".repeat(1_000_000), undefined],
])("%.20s is a misspelling of %s", (text, name) => {
  expect(closeMatch(text, names)).toBe(name);
});

test("the nearest of several names; none of none", () => {
  expect(closeMatch("contact_nam", ["contract_name", "contact_name"])).toBe("contact_name");
  expect(closeMatch("name", [])).toBeUndefined();
});
