import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frameDocument } from "../../account-folder/email-page/email-frame";
import { fetchLogo } from "../../account-folder/email-page/logo";
import { renderPage } from "../../account-folder/email-page/page";
import { fillSample } from "../../account-folder/email-page/sample-data";
import { textDiff } from "../../account-folder/email-page/text-diff";
import { htmlToText } from "../../account-folder/text/html/to-text";
import type { Fields } from "../../definitions/model";
import { fc } from "../chance";
import { accountOf } from "./sections";

const body = (html: string, options: Parameters<typeof frameDocument>[1] = { scheme: "light" }) =>
  frameDocument(html, options).replace(/^.*?<\/style>/s, "");

describe("an email's frame", () => {
  it.each([
    ["<p>a</p><script>evil()</script><p>b</p>", "<p>a</p><p>b</p>"],
    ["<p>a</p><script>evil()", "<p>a</p>"],
    ["<SCRIPT SRC=//x.example></SCRIPT >b", "b"],
    ['<iframe src="https://x.example"></iframe>b', "b"],
    ['<link rel=stylesheet href=//x.example><base href="//x.example">b', "b"],
    ['<meta http-equiv="refresh" content="0;url=//x.example">b', "b"],
    ['<img onerror="evil()" src="data:,x">', '<img  src="data:,x">'],
    ['<a href="https://x.example" ping="https://y.example">b</a>', '<a href="https://x.example" >b</a>'],
    ["<embed src=x>b<object data=x><p>c</object>d", "bd"],
  ])("takes out of %s what mail clients take out", (html, expected) => {
    expect(body(html)).toBe(expected);
  });

  it("shows the pictures that the page holds, and says which ones it does not load", () => {
    const pictures = new Map([["https://x.example/logo.png", "data:image/png;base64,AA"]]);
    const html = body('<img src="https://x.example/logo.png"><img src="https://x.example/other.png" width=20>', {
      scheme: "light",
      pictures,
    });
    expect(html).toContain('<img src="data:image/png;base64,AA">');
    expect(html).not.toContain("https://x.example");
    expect(decodeURIComponent(html)).toContain("other.png");
  });

  it("answers the condition of dark styles itself", () => {
    const html = "<style>@media screen and ( prefers-color-scheme : DARK ) { p { color: red } }</style>";
    expect(frameDocument(html, { scheme: "light" })).toContain("@media screen and (max-width:0px)");
    expect(frameDocument(html, { scheme: "dark" })).toContain("@media screen and (min-width:0px)");
    expect(frameDocument(html, { scheme: "dark" })).not.toContain("invert(");
    expect(frameDocument("<p>x</p>", { scheme: "dark" })).toContain("invert(");
  });

  it("leaves any other HTML as it is", () => {
    const pieces = ["<p>", "</p>", "<td style='a:b'>", "text", "שלום", "\r\n", "&amp;", "<!-- x -->", "<b", ">"];
    const piece = fc.constantFrom(...pieces, "<style>a{b:c}</style>");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const html = pieces.join("");
        return body(html) === html;
      }),
    );
  });
});

describe("sample data", () => {
  it("is written with entities into HTML, and leaves unknown names alone", () => {
    expect(fillSample("{client name} {unknown} {a:b}", "html", { "client name": "<O’B & Co>" })).toBe(
      "&lt;O’B &amp; Co&gt; {unknown} {a:b}",
    );
    expect(fillSample("{client name}", "text", { "client name": "<x>" })).toBe("<x>");
  });
});

describe("a difference of texts", () => {
  const unmark = (html: string, drop: "ins" | "del") =>
    html
      .replace(new RegExp(`<${drop}>.*?</${drop}>`, "gs"), "")
      .replace(/<\/?(ins|del)>/g, "")
      .replace(/↵/g, "")
      .replace(/&amp;/g, "&");

  it("marks words, and takes variables as one", () => {
    expect(textDiff("Dear {client name}, hello", "Dear {user name}, hello")).toBe(
      "Dear <del>{client name}</del><ins>{user name}</ins>, hello",
    );
  });

  it("shows texts that have little in common one after the other", () => {
    expect(textDiff("one two", "three four")).toBe("<del>one two\n</del><ins>three four</ins>");
  });

  it("leaves out long stretches that did not change", () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const diff = textDiff(lines.join("\n"), [...lines.slice(0, 20), "new", ...lines.slice(20)].join("\n"));
    expect(diff).toContain("unchanged lines");
    expect(diff.split("\n").length).toBeLessThan(12);
  });

  it("says when only line ends differ", () => {
    expect(textDiff("a\r\nb", "a\nb")).toContain("only line ends differ");
    expect(textDiff("a", "a")).toBe("");
  });

  it("holds both texts", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", " ", "&", "{x y}", "שלום"), { maxLength: 15 })
      .map((words) => words.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        if (before === after) return true;
        const diff = textDiff(before, after);
        return unmark(diff, "ins").trimEnd() === before.trimEnd() && unmark(diff, "del").trimEnd() === after.trimEnd();
      }),
    );
  });
});

describe("a plain text that is derived", () => {
  const head = "<html><head><title>Email</title><style>a{b:c}</style></head>";
  it.each([
    [
      '<style>a{b:c}</style><h1>{contract title}</h1><p>Dear\r\n {client name} &amp; Co,</p><a href="{contract url}">Sign</a> <a href="https://x.example">https://x.example</a><table><tr><td>one</td><td>two</td></tr></table>',
      "{contract title}\n\nDear {client name} & Co,\n\nSign [{contract url}] https://x.example\none\ntwo",
    ],
    // What readers see, and not the page's title, wherever tags are left out.
    [`${head}<body>\n<p>one</p></body></html>\n<p>{company name}</p>\n`, "one\n\n{company name}"],
    [`${head}<p>one</p>`, "one"],
    // The columns of a table of data.
    [
      "<table><tr><th>{contract title}</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
      "{contract title}   B\n1                  2",
    ],
  ])("reads like the HTML, and keeps variables and links: %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("keeps every known variable of a text", () => {
    const names = fc.array(fc.constantFrom("{client name}", "{contract title}", "{user name}"), { minLength: 1 });
    const wrap = fc.constantFrom("p", "h1", "td", "li", "b", "th");
    fc.assert(
      fc.property(names, wrap, (variables, element) => {
        const text = htmlToText(variables.map((name) => `<${element}>${name}</${element}>`).join(""));
        return variables.every((name) => text.includes(name));
      }),
    );
  });
});

describe("the logo", () => {
  const png = Buffer.from("89504e470d0a1a0a00", "hex");
  const server = createServer((request, response) => {
    if (request.url === "/logo.png") response.end(png);
    else if (request.url === "/page") response.setHeader("content-type", "image/png").end("<html>");
    else if (request.url === "/large.png") response.end(Buffer.concat([png, Buffer.alloc(3_000_000)]));
    else response.writeHead(404).end(png);
  });
  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
  afterAll(() => new Promise((done) => server.close(done)));

  it("is taken into the page when it is a picture", async () => {
    expect(await fetchLogo(url("/logo.png"))).toBe(`data:image/png;base64,${png.toString("base64")}`);
    for (const path of ["/page", "/large.png", "/gone.png"]) expect(await fetchLogo(url(path))).toBeUndefined();
    expect(await fetchLogo("http://127.0.0.1:1/logo.png")).toBeUndefined();
    expect(await fetchLogo("file:///etc/passwd")).toBeUndefined();
  });
});

describe("the page", () => {
  const model = {
    branding: { colour: "#0B5C6B" },
    webhooks: [],
    emails: { "email-send": { subject: "<b>{client name}</b>", content: "<p>x</p>" } },
  };

  it("shows all eight emails, and says which ones are not managed", () => {
    const html = renderPage({ shown: { label: "./<account>", model: accountOf(model) } });
    expect(html.match(/<article/g)).toHaveLength(8);
    expect(html.match(/Not managed/g)).toHaveLength(7);
    expect(html).toContain("./&lt;account&gt;");
    expect(html).toContain("&lt;b&gt;Zoë");
    expect(html).not.toContain("<b>Zoë");
  });

  it("allows nothing from elsewhere but a logo that it could not take in", () => {
    const policy = (branding: Fields, logo?: string) => {
      const shown = { label: "x", model: accountOf({ ...model, branding }), ...(logo && { logo }) };
      return /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(renderPage({ shown }))![1];
    };
    expect(policy({})).toMatch(/default-src &#39;none&#39;.*img-src data:; script-src &#39;sha256-/);
    expect(policy({ logoUrl: "https://x.example/a.png?t=1;2" }, "data:image/png;base64,AA")).toContain(
      "img-src data:;",
    );
    expect(policy({ logoUrl: "https://x.example/a.png" })).toContain("img-src data: https://x.example/a.png;");
    expect(policy({ logoUrl: "https://x.example:80a/a.png" })).toContain("img-src data:;");
    expect(policy({ logoUrl: "https://x.example/a; script-src *" })).toContain("img-src data:;");
  });

  it("marks what is new, what has changed, and takes from the account what the folder leaves alone", () => {
    const emails = {
      "email-send": { subject: "Old {client name}", content: "<p>x</p>" },
      "email-signed": { content: "<p>theirs</p>" },
    };
    const before = { label: "b", model: accountOf({ branding: { colour: "#000000" }, emails }) };
    const html = renderPage({ shown: { label: "a", model: accountOf(model) }, before });
    expect(html.match(/badge changed/g)).toHaveLength(2);
    expect(html).toContain("theirs");
    expect(html).toContain("<del>Old </del>");
    expect(html).toContain("was <span");
  });
});
