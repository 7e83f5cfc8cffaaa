import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactUrl } from "../../redaction/url-credentials";

describe("URLs are shown without", () => {
  const part = (min: number) =>
    fc.string({ unit: fc.constantFrom(..."abcXYZ019@:!$'()*+,;=-._~%&\"<>|"), minLength: min, maxLength: 12 });

  it("what comes before the host, however many @ it has", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("https", "HTTPS", "http", "wss", "postgres"),
        part(0),
        part(1),
        (scheme, user, password) => {
          expect(redactUrl(`to ${scheme}://${user}:${password}@host.example/path?a=b twice`)).toBe(
            `to ${scheme}://…@host.example/path?a=b twice`,
          );
        },
      ),
    );
  });

  it.each([
    ["?token=s3cret", "?token=…"],
    ["?a=b&access_token=s3cret&c=d", "?a=b&access_token=…&c=d"],
    ["#access_token=s3cret&state=1", "#access_token=…&state=1"],
    ["?token_v2=s3cret", "?token_v2=…"],
    ["?clientSecretHash=s3cret", "?clientSecretHash=…"],
    ["?X-Amz-Signature=s3cret#top", "?X-Amz-Signature=…#top"],
    ["?API-KEY=s3cret", "?API-KEY=…"],
    ["?a=1;sig=s3cret", "?a=1;sig=…"],
  ])("the value of a parameter such as %s", (query, shown) => {
    expect(redactUrl(`https://host.example/path${query}`)).toBe(`https://host.example/path${shown}`);
  });
});

it.each([
  "https://host.example/@team/path?codec=h264&signer=anna&keyboard=de",
  "write to help@host.example, or see https://host.example/help",
  "mailto:help@host.example",
  "https://host.example/?next=a@b.example",
])("nothing else is hidden: %s", (text) => {
  expect(redactUrl(text)).toBe(text);
});
