/** What people set in place of a key gets a sentence before any request, without the text. */
import { expect, test } from "vitest";
import { validateApiKey } from "../../sdk/auth/validate-key-and-url";

test.each([
  ["", /API key, a string/],
  ["https://sign.example.com", /URL, which goes into baseUrl/],
  ["Bearer key_1234", /alone/],
  ["Authorization: Basic a2V5Og==", /alone/],
  ['"key_1234"', /quotation marks/],
  ["'key_1234", /quotation marks/],
  ["“key_1234”", /quotation marks/],
  ["<your-api-key>", /placeholder/],
  ["${ESIGN_API_KEY}", /placeholder/],
  ["$ESIGN_API_KEY", /placeholder/],
  ["…", /placeholder/],
  ["key_1234\n", /space, colon or control/],
  ["user:key_1234", /space, colon or control/],
  ["key_1234\u200b", /ASCII/],
  ["kеy_1234", /ASCII/],
])("%j", (key, message) => {
  const issue = validateApiKey(key);
  expect(issue).toMatch(message);
  expect(issue).not.toContain("1234");
});

test.each(["key_1234", "test_abc", "0123456789abcdef", "a.b-c_d~e$f/g+h="])("%s is one", (key) => {
  expect(validateApiKey(key)).toBeUndefined();
});
