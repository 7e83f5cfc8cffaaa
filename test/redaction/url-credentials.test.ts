import { describe, expect, it } from "vitest";
import { redactUrl } from "../../redaction/url-credentials";
import { cases, fc } from "../chance";

describe("no password of a URL is shown:", () => {
  it.each([
    ["https://user:p@ss@host/x", "https://…@host/x"],
    ["HTTPS://user:pw@host", "HTTPS://…@host"],
    ["hTTp://token@host:8080/a@b", "hTTp://…@host:8080/a@b"],
    ["amqps://user:pw@queue/v", "amqps://…@queue/v"],
    ["https:\\\\user:pw@host\\x", "https:\\\\…@host\\x"],
    ["https:user:pw@host/x", "https:…@host/x"],
    ["postgres://user:a\\b@host", "postgres://…@host"],
    ["to postgres://user:a\\b@host", "to postgres://…@host"],
    ['https://user:a"b<c@host', "https://…@host"],
    ["curl https://user:p@ss@host/x and https://a:b@c", "curl https://…@host/x and https://…@c"],
    ['+ url: "https://user:p@ss@host/x"', '+ url: "https://…@host/x"'],
    ["urls: ['https://u:p@host','HTTP://v:q@host']", "urls: ['https://…@host','HTTP://…@host']"],
    ["https://a.nl,https://u:p@b.nl", "https://a.nl,https://…@b.nl"],
  ])("%s", (text, shown) => expect(redactUrl(text)).toBe(shown));

  const scheme = fc.constantFrom("http", "https", "HTTPS", "Http", "ftp", "wss", "postgres");
  const part = (end: RegExp) => fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !end.test(text));
  const host = fc.constantFrom("host", "h.example.com:8080", "[::1]");
  const rest = fc.constantFrom("", "/", "/a/b@c", "?a=b@c", "#a@b");

  it("in a URL, by what a URL parser takes for one", () => {
    const secret = part(/[\s/\\?#]/u);
    fc.assert(
      fc.property(scheme, secret, secret, host, rest, (scheme, user, password, host, rest) => {
        const url = `${scheme}://${user}:${password}@${host}${rest}`;
        fc.pre(URL.canParse(url));
        expect(redactUrl(url)).toBe(`${scheme}://…@${host}${rest}`);
      }),
    );
  });

  it("in anything that a URL parser takes for a URL with a password", () => {
    const text = fc
      .array(fc.constantFrom("https:", "x:", "/", "//", "\\", "@", ":", "?", "#", "ab", "'", '"', "<", "é"), {
        maxLength: 12,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.constantFrom("https:", "HTTP://", "x://"), text, (scheme, rest) => {
        fc.pre(URL.canParse(scheme + rest));
        const { username, password } = new URL(scheme + rest);
        fc.pre(username + password !== "");
        const shown = new URL(redactUrl(scheme + rest));
        expect([decodeURIComponent(shown.username), shown.password]).toEqual(["…", ""]);
      }),
      { numRuns: cases(300) },
    );
  });

  it("in a text around it", () => {
    const secret = part(/[\s/\\?#"<>'`]/u);
    const around = fc.constantFrom(" ", '"', "'", "<", "\n", "(");
    fc.assert(
      fc.property(around, scheme, secret, secret, host, (begin, scheme, user, password, host) => {
        const text = (userinfo: string) => `to${begin}${scheme}://${userinfo}@${host}/x" by me@x.example`;
        expect(redactUrl(text(`${user}:${password}`))).toBe(text("…"));
      }),
    );
  });
});

describe("values of parameters that are secret are hidden:", () => {
  it.each([
    ["https://h/?token=abc&a=1", "https://h/?token=…&a=1"],
    ["https://h/?token_v2=abc", "https://h/?token_v2=…"],
    ["https://h/#access_token=abc&state=1", "https://h/#access_token=…&state=1"],
    ["https://h/#/route?apiKeyId=abc", "https://h/#/route?apiKeyId=…"],
    ["https://h/?X-Amz-Credential=a/b&X-Amz-Signature=c", "https://h/?X-Amz-Credential=…&X-Amz-Signature=…"],
    ["https://h/?Pwd=a&passphrase=b&tokens[]=c", "https://h/?Pwd=…&passphrase=…&tokens[]=…"],
    ["https://h/?a=1&amp;key=abc", "https://h/?a=1&amp;key=…"],
    ["https://h/?next=https://i/?code=abc", "https://h/?next=https://i/?code=…"],
    ["https://h/?next?token=abc", "https://h/?next?token=…"],
    ["https://h/?key=a?b;c=d", "https://h/?key=…"],
  ])("%s", (text, shown) => expect(redactUrl(text)).toBe(shown));
});

describe("what is no credential is shown:", () => {
  it.each([
    "",
    "me@x.example",
    "mailto:me@x.example",
    "Write to https://x.example or me@x.example",
    '<a href="https://x.example">me@x.example</a>',
    "<a href='https://x.example'>me@x.example</a>",
    "['https://x.example','me@x.example']",
    "https://x.example/@me",
    "https://x.example?mail=me@x.example",
    "https://x.example#me@x.example",
    "https://x.example/?keyword=a&tokenize=b&author=c&encoded=d&a==",
    "https://x.example/?token=&a=b",
    "note: // me@x.example",
    "git@x.example:a/b.git",
    "{url}?a&b=c;d=e #f=g",
  ])("%s", (text) => expect(redactUrl(text)).toBe(text));

  it("an address beside a URL", () => {
    const word = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !/[:=]/.test(text));
    const around = fc.constantFrom(
      ...[" ", "\n", "/", "?", "#"].map((end) => ["", end] as const),
      ...([
        ['"', '"'],
        ["'", "'"],
        ["`", "`"],
        ["<", ">"],
        [">", "<"],
        ['"', '">'],
      ] as const),
    );
    fc.assert(
      fc.property(word, around, word, (before, [begin, end], after) => {
        const text = `see ${before} ${begin}https://x.example${end}me@x.example ${after}`;
        expect(redactUrl(text)).toBe(text);
      }),
    );
  });
});

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
