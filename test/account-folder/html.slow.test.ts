/** The one reader of HTML: what a browser, Outlook and the reader of an email make of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { HtmlBody } from "../../account-folder/text/html/body";
import { htmlToText } from "../../account-folder/text/html/to-text";
import { variablesOfText } from "../../account-folder/text/variables";
import { brandingEmailVariables } from "../../sdk";
import { fc } from "../chance";
import { lintTexts } from "../rules/lint-texts";

const fixture = (name: string) => readFileSync(join(__dirname, "../fixtures/emails", name), "utf8");
const urls = (html: string) => new HtmlBody(html).addresses.map(({ url }) => url);
const rules = (content: string) => [...new Set(lintTexts("email-send", { content }).map(({ rule }) => rule))];

describe("emails as frameworks and people write them", () => {
  test.each([
    ["outlook-button.html", "Dear {client name}\n\nSign [{contract url}]\nOn any device"],
    [
      "columns.html",
      "{contract title}\n\nDear {client name}, please read and sign it until Friday, wherever you are: {contract url}\n\nQuestions? Ask {user name}.\n\nOne [https://x.example/a]\nTwo [https://x.example/b]\n\nDocument           From\n{contract title}   {user name}",
    ],
    [
      "components.html",
      "{contract title}\n\nDear {client name},\n\nSign [{contract url}]\n\n----------------------------------------",
    ],
  ])("%s has nothing wrong, and a plain text of what is seen", (name, text) => {
    expect(rules(fixture(name))).toEqual([]);
    expect(htmlToText(fixture(name)).replace(/\n{3,}/g, "\n\n")).toBe(text);
  });

  test.each([
    ["<!--[if !mso]><!-->", "<!--<![endif]-->"],
    ["<!--[if !mso]><!-- -->", "<!-- <![endif]-->"],
    ["<!--[if !mso]> <!-->", "<!-- <![endif]-->"],
    ["<!--[if !mso]>-->", "<!--<![endif]-->"],
    ["<![if !mso]>", "<![endif]>"],
    ["<![if (!vml)|(lt mso 9)]>", "<![endif]-->"],
  ])("what all others read between %s and %s is no comment", (begin, end) => {
    const html = `<p>x</p>${begin}<a href="{contract url}">Sign</a>${end}`;
    // Some version of Outlook may read the last one.
    expect(rules(html)).toEqual(begin.includes("(lt mso 9)") ? [] : ["advised-variable"]);
    expect(htmlToText(html)).toBe("x\n\nSign [{contract url}]");
    expect(rules(`${begin}<a href="{contrct url}">x</a>${end}`)).toContain("variable-typo");
  });

  test("what only Outlook reads is checked like everything else, at its place", () => {
    const html = fixture("outlook-button.html")
      .replace('<v:roundrect href="{contract url}"', '<v:roundrect href="{contrct url}"')
      .replace('src="https://i.example/bg.jpg" color', 'src="http://i.example/bg.jpg" color');
    const found = lintTexts("email-send", { content: html });
    expect(found.map(({ rule, line }) => `${line} ${rule}`)).toEqual([
      "7 insecure-link",
      "9 variable-typo",
      "10 advised-variable",
    ]);
    expect(rules('<p>{contract url}</p><!--[if mso]><v:rect href="/a"></v:rect><![endif]-->')).toEqual([
      "relative-link",
    ]);
    expect(rules("<p>{contract url}</p><!--[if mso]><table><tr><td><![endif]--><p>x</p>")).toEqual(["broken-html"]);
  });
});

describe("addresses", () => {
  test.each([
    ['<a href="ht&Tab;tp://a.example">x</a>', "http://a.example"],
    ['<a href=" \n h&#10;ttp://a.example ">x</a>', "http://a.example"],
    ['<a href="&#x68;ttp&colon;//a.example">x</a>', "http://a.example"],
    ['<img srcset="https://a.example/1.png 1x, http://a.example/2,x.png 2x" alt="">', "http://a.example/2,x.png"],
    ['<picture><source srcset="http://a.example/w.webp,"></picture>', "http://a.example/w.webp"],
    ['<style>@import "http://a.example/a.css";</style>', "http://a.example/a.css"],
    ["<style>@\\69mport/**/'ht\\74p://a.example/a.css'</style>", "http://a.example/a.css"],
    ["<style>@import url(http://a.example/a.css)</style>", "http://a.example/a.css"],
    ["<svg><style>p{background:url(http://a.example)}</style></svg>", "http://a.example"],
    ['<p style="background:u\\72l( &quot;http://a.example/a.png&quot; )">x</p>', "http://a.example/a.png"],
    ['<p style="background:image-set(&apos;http://a.example/a.png&apos; 1x)">x</p>', "http://a.example/a.png"],
    ['<table><tr><td background="http://a.example/b.png">x</td></tr></table>', "http://a.example/b.png"],
    ['<meta http-equiv="Refresh" content="0; URL=\'http://a.example\'">', "http://a.example"],
    ['<video poster="http://a.example/p.png"></video>', "http://a.example/p.png"],
    ['<form action="http://a.example"><button formaction="http://b.example">x</button></form>', "http://b.example"],
    ['<svg><a xlink:href="http://a.example">x</a></svg>', "http://a.example"],
    ['<iframe srcdoc="&lt;a href=http://a.example&gt;x&lt;/a&gt;"></iframe>', "http://a.example"],
    // Rows outside of a table, which a browser drops.
    ['<tr><td><a href="http://a.example" background="http://a.example/d">x</a></td></tr>', "http://a.example/d"],
    ['<!--[if mso]><v:fill src="http://a.example/v.png"/><![endif]-->', "http://a.example/v.png"],
    ['<![if !vml]><img src="http://a.example/n.png" alt=""><![endif]>', "http://a.example/n.png"],
    ["<p>See <b>http</b>://a.example.</p>", "http://a.example"],
  ])("%s", (html, url) => {
    expect(urls(html)).toContain(url);
    expect(rules(html)).toContain("insecure-link");
  });

  test.each([
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://www.w3.org/TR/xhtml1.dtd"><p xmlns="http://x">x</p>',
    "<!-- http://a.example <a href='http://a.example'> -->",
    "<style>@namespace v url(http://a.example);/* url(http://a.example) */ p::after{content:'http://a.example'}</style>",
    '<p style="behavior:url(#default#VML)" title="http://a.example">x</p>',
    '<p style="display:none">http://a.example</p>',
  ])("%s has none that anyone loads or follows", (html) => {
    expect(rules(html).filter((rule) => /link/.test(rule))).toEqual([]);
  });

  it("are found however their letters are written", () => {
    const letter = (character: string) =>
      fc.constantFrom(
        character,
        `&#${character.charCodeAt(0)};`,
        `&#x${character.charCodeAt(0).toString(16)};`,
        `${character}&Tab;`,
        `${character}&NewLine;`,
      );
    const written = fc.tuple(...[..."http://a.example/b"].map(letter)).map((letters) => letters.join(""));
    fc.assert(
      fc.property(written, fc.constantFrom("a href", "img src", "td background", "v:fill src"), (url, place) => {
        const [tag, attribute] = place.split(" ");
        expect(urls(`<table><${tag} ${attribute}="${url}">`)).toContain("http://a.example/b");
        expect(urls(`<!--[if mso]><${tag} ${attribute}='${url}'><![endif]-->`)).toContain("http://a.example/b");
      }),
    );
  });
});

describe("variables", () => {
  const names = fc.constantFrom(...brandingEmailVariables);
  /** What puts nothing to see between two letters, or a space. */
  const splitters = fc.constantFrom(
    ...[
      "<b></b>",
      "</span><span>",
      "<!-- x -->",
      "<!--[if mso]><i></i><![endif]-->",
      "&shy;",
      "&#8203;",
      "\u200b",
      "\u2060",
    ],
    ...["&zwnj;", "\ufeff", "<wbr>", "\r\n", "\n", "&nbsp;", "&NewLine;"],
  );

  it("that are split are seen, named and placed, in text and attributes", () => {
    fc.assert(
      fc.property(names, splitters, fc.nat(), (name, splitter, seed) => {
        const at = 1 + (seed % (name.length - 1));
        const isSpace = /^(?:[\r\n]|&nbsp;|&NewLine;)/.test(splitter);
        const gap = name.indexOf(" ");
        const split = isSpace
          ? `${name.slice(0, gap)}${splitter}${name.slice(gap + 1)}`
          : `${name.slice(0, at)}${splitter}${name.slice(at)}`;
        const html = `<p>Hi <span>{${split}}</span></p>`;
        const [found, ...others] = new HtmlBody(html).variables;
        expect(others).toEqual([]);
        expect(found).toMatchObject({ name, flaw: expect.any(String) });
        expect(html.slice(found!.start, found!.end)).toBe(`{${split}}`);
        expect(rules(html)).toContain("variable-typo");
        if (splitter.startsWith("<")) return;
        const [inAttribute] = new HtmlBody(`<a href="{${split}}">x</a>`).variables;
        expect(inAttribute).toMatchObject({ name, flaw: expect.any(String), isShown: false });
        const [inText] = variablesOfText(`Hi {${split}}`);
        expect(inText).toMatchObject({ name, flaw: expect.any(String) });
      }),
    );
  });

  test.each(["%7Bcontract%20url%7D", "{contract%20url}", "{contract&#32;url}"])("in an address as %s", (written) => {
    expect(new HtmlBody(`<a href="${written}">x</a>`).variables).toMatchObject([
      { name: "contract url", isShown: false },
    ]);
    expect(rules(`<a href="${written}">x</a>`)).toContain("variable-typo");
  });

  it("that no reader sees do not count as the link of an email", () => {
    const link = '<a href="{contract url}">Sign</a>';
    const hiding = fc.constantFrom<(html: string) => string>(
      (html) => `<!-- ${html} -->`,
      (html) => `<!--[if mso]>${html}<![endif]-->`,
      (html) => `<div style="display:none">${html}</div>`,
      (html) => `<div style="DISPLAY : none !important">${html}</div>`,
      (html) => `<div style="d\\69splay:none"><p>${html}</p></div>`,
      (html) => `<div hidden>${html}</div>`,
      (html) => `<style>.off{display:none}</style><div class="on off">${html}</div>`,
      (html) => `<div style="max-height:0;overflow:hidden">${html}</div>`,
      (html) => `<div style="font-size:0px"><i>${html}</i></div>`,
      (html) => `<div style="visibility:hidden">${html}</div>`,
      (html) => `<div style="opacity:0.0">${html}</div>`,
      (html) => `<div style="text-indent:-9999px">${html}</div>`,
      (html) => `<div style="position:absolute;left:-9999px">${html}</div>`,
      (html) => `<div style="font:0/0 a">${html}</div>`,
      (html) => `<div style="position:absolute;clip:rect(0, 0, 0, 0)">${html}</div>`,
      (html) => `<div style="clip-path: inset(50%)">${html}</div>`,
      (html) => `<div style="transform:scale(0)">${html}</div>`,
      (html) => `<div style="clip-path: circle(0 at 50%)">${html}</div>`,
      (html) => `<style>@media only screen{.off{display:none}}</style><div class="off">${html}</div>`,
      (html) => `<style>@media not print{.off{display:none}}</style><div class="off">${html}</div>`,
      (html) => `<dialog>${html}</dialog>`,
      (html) => `<template>${html}</template>`,
      (html) => `<title>${html}</title>`,
    );
    const shown = fc.constantFrom(link, "{contract url}", `<b>{contract url}</b> or ${link}`);
    const count = (html: string) =>
      lintTexts("email-send", { content: `<p>x</p>${html}` }).filter(({ rule }) => rule === "missing-variable");
    fc.assert(
      fc.property(shown, hiding, hiding, (html, hide, more) => {
        expect(count(html)).toEqual([]);
        expect(count(hide(html))).toHaveLength(1);
        expect(count(more(hide(html)))).toHaveLength(1);
        expect(htmlToText(`<p>x</p>${hide(html)}`)).toBe("x");
      }),
    );
    const inert = [
      ...['<a href="{contract url}"></a>', '<a href="{contract url}">&nbsp;&#8203;&zwnj;</a>'],
      '<a href="{contract url}"><img width="1" height="1" src="https://a.example/p.gif"></a>',
      '<a href="{contract url}"><img width="1" src="https://a.example/p.gif"></a>',
      '<img alt="{contract url}" src="https://a.example">',
      ...["#{contract url}", "mailto:{contract url}", "{{contract url}}"].map((url) => `<a href="${url}">Sign</a>`),
    ];
    for (const html of inert) expect(count(html)).toHaveLength(1);
    const followed = ["  {contract url}", "https://clicks.example/?to={contract url}"];
    for (const url of followed) expect(count(`<a href="${url}">Sign</a>`)).toEqual([]);
    // Hidden on paper, or on some screens.
    for (const media of ["print", "not screen", "not print and (color)", "screen and (max-width: 400px)"])
      expect(count(`<style>@media ${media}{.off{display:none}}</style><p class="off">${link}</p>`)).toEqual([]);
    for (const style of ["font:bold 14px/0 a", "clip-path:circle(0.5em)", "clip:rect(0,0,0,0)"])
      expect(count(`<p style="${style}">${link}</p>`)).toEqual([]);
    expect(count('<a href="{contract url}"><img width="100%" height="1" src="https://a.example/l.gif"></a>')).toEqual(
      [],
    );
    expect(count('<map><area href="{contract url}"></map>')).toEqual([]);
    // Outlook alone hides it.
    expect(count(`<div style="mso-hide:all">${link}</div>`)).toEqual([]);
  });
});

test("a plain text keeps joiners that join, and loses what only fills space", () => {
  expect(htmlToText("<p>می‌خواهم 👩‍💻 Vertrags&shy;text&nbsp;&zwnj;&nbsp;&zwnj; end</p>")).toBe(
    "می‌خواهم 👩‍💻 Vertragstext end",
  );
});

test("a plain text has one space in the place of what pads a line, and none at its ends", () => {
  const pad = fc.constantFrom(
    ...["&nbsp;", "&#160;", "\u00a0", "&emsp;", "&ensp;", "&thinsp;", "&#8239;", "&numsp;", " ", "\n"],
    ...["&nbsp;</b><b>&nbsp;", "<span>&nbsp;&nbsp;</span>", "&nbsp;<!-- x --> ", "&zwnj;&nbsp;&zwnj;&nbsp;"],
  );
  const padding = fc.array(pad, { minLength: 1, maxLength: 5 }).map((pads) => pads.join(""));
  const edge = fc.oneof(fc.constant(""), padding);
  const word = fc.constantFrom(
    "Dear",
    "{client name}",
    "10",
    "€",
    "日本",
    '<a href="{contract url}">Sign</a>',
    "&amp;",
  );
  const line = fc.array(fc.tuple(word, padding), { minLength: 1, maxLength: 5 });
  const block = fc.constantFrom("p", "div", "li", "td", "h2", "center");
  const asText = (written: string) =>
    written.startsWith("<a") ? "Sign [{contract url}]" : written.replace("&amp;", "&");
  fc.assert(
    fc.property(block, fc.array(fc.tuple(edge, line, edge), { minLength: 1, maxLength: 4 }), (tag, lines) => {
      const inner = lines.map(([before, words, after]) => {
        const written = words.map(([one, gap], i) => (i === 0 ? one : gap + one)).join("");
        return `${before}<b>${written}</b>${after}`;
      });
      const html = `<${tag}>${inner.join("<br>")}</${tag}>`;
      const page = tag === "li" ? `<ul>${html}</ul>` : tag === "td" ? `<table><tr>${html}</tr></table>` : html;
      const words = lines.map(([, words]) => words.map(([one]) => asText(one)).join(" "));
      const text = htmlToText(page);
      expect(text.replace(/^\* /, "").split(/\n */)).toEqual(words);
    }),
  );
  expect(htmlToText("<pre>a&nbsp;&nbsp;b   c</pre>")).toBe("a\u00a0\u00a0b   c");
});

test.each([
  ['<a href="{contract url}">{contract url}</a>', "{contract url}"],
  ['<a href="{contract url}"><b>{contract </b>\n<i>url}</i> </a>', "{contract url}"],
  ['<a href=" mailto:a@x.example ">a@x.example</a>', "a@x.example"],
  [
    '<a href="{contract url}"><img src="https://x.example/b.png" alt="Read and sign"></a>',
    "Read and sign [{contract url}]",
  ],
  [
    '<a href="{contract url}"><img alt="x" hidden><span><img alt="A &lt; B">&nbsp;</span></a>',
    "A < B [{contract url}]",
  ],
  ['<a href="{contract url}"><img alt="->" src="https://x.example/b.png"> Sign</a>', "Sign [{contract url}]"],
  ['<a href="{contract url}"><img alt="" src="https://x.example/b.png"></a>', "{contract url}"],
])("a link has its address once in a plain text, and a label if it shows one: %s", (html, text) => {
  expect(htmlToText(`<p>${html}</p>`)).toBe(text);
});

test("formatting that is opened again and again is refused", () => {
  const formatting = Array.from({ length: 400 }, (_, i) => `<font size="${i}">`).join("");
  expect(() => htmlToText(`<p>${formatting}${"<p>x</p>".repeat(20_000)}`)).toThrow(
    "it has too many tags that are not closed",
  );
});

describe("a link that one group of readers lacks", () => {
  const link = '<a href="{contract url}">Sign</a>';
  const shape = '<v:roundrect href="{contract url}" fillcolor="#123456"><center>Sign</center></v:roundrect>';
  const found = (html: string) =>
    lintTexts("email-send", { content: `<p>Hello</p>${html}` }).filter(({ rule }) =>
      ["missing-variable", "advised-variable"].includes(rule),
    );
  const rules = (html: string) => found(html).map(({ rule }) => rule);
  const forOthers = fc.constantFrom<(html: string) => string>(
    (html) => `<!--[if !mso]><!-->${html}<!--<![endif]-->`,
    (html) => `<!--[if !mso]><!-- -->${html}<!-- <![endif]-->`,
    (html) => `<![if !mso]>${html}<![endif]>`,
    (html) => `<!--[if !(gte mso 9)|(IE 5)]><!-->${html}<!--<![endif]-->`,
    (html) => `<div style="mso-hide:all">${html}</div>`,
    (html) => `<style>.web { MSO-HIDE : all }</style><table class="web"><tr><td>${html}</td></tr></table>`,
  );
  const forOutlook = fc.constantFrom<(html: string) => string>(
    (html) => `<!--[if mso]>${html}<![endif]-->`,
    (html) => `<!--[if gte mso 12]><table><tr><td>${html}</td></tr></table><![endif]-->`,
    (html) => `<!--[if (mso)|(IE)]>${html}<![endif]-->`,
    (html) => `<!--[if mso | IE]>${html}<![endif]-->`,
    (html) => `<!--[if mso]>${html}<!--<![endif]-->`,
    (html) => `<!--[if mso]>${html}<!-- <![endif]-->`,
  );
  const hidden = fc.constantFrom<(html: string) => string>(
    (html) => `<!--[if !mso]>${html}<![endif]-->`,
    (html) => `<!--[if lt IE 9]>${html}<![endif]-->`,
    (html) => `<!--[if mso]><p style="display:none">${html}</p><![endif]-->`,
    (html) => `<!--[if mso]><!-- ${html} --><![endif]-->`,
  );
  const shown = fc.constantFrom(link, "{contract url}", `<b>{contract url}</b> or ${link}`);

  test("is a warning if Outlook's lack it, and an error if most do", () => {
    fc.assert(
      fc.property(forOthers, forOutlook, hidden, shown, (others, outlook, unseen, html) => {
        expect(rules(others(html))).toEqual(["advised-variable"]);
        expect(rules(others(html) + unseen(html))).toEqual(["advised-variable"]);
        expect(rules(outlook(html))).toEqual(["missing-variable"]);
        expect(rules(unseen(html))).toEqual(["missing-variable"]);
        expect(rules(outlook("<p>x</p>") + html + unseen("<p>x</p>"))).toEqual([]);
        for (const own of [html, shape]) {
          expect(rules(others(html) + outlook(own))).toEqual([]);
          expect(rules(outlook(own) + html)).toEqual([]);
        }
      }),
    );
  });

  test("is named with who lacks it and what to do", () => {
    const [others] = found(`<!--[if !mso]><!-->\n${link}<!--<![endif]-->`);
    expect(others).toMatchObject({ message: "Outlook does not show {contract url}; the API requires it" });
    expect(others!.fix).toContain("outside of <!--[if !mso]><!-->");
    expect(others).toMatchObject({ line: 2, column: 10 });
    expect(found(`<!--[if mso]>${shape}<![endif]-->`)).toMatchObject([
      { message: expect.stringContaining("only where Outlook alone shows it") },
    ]);
    expect(found(`<!--[if IE]>${link}<![endif]-->`)).toMatchObject([
      { message: expect.stringContaining("only where no reader sees it") },
    ]);
  });
});
