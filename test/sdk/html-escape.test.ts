import { expect, it } from "vitest";
import { escapeHtml, unescapeHtml } from "../../sdk/text/html-escape";
import { fc } from "../chance";

it("writes entities, and reads them, also of services that have other ones", () => {
  const text = `<a href="x">'&'</a>`;
  expect(escapeHtml(text)).toBe("&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  expect(unescapeHtml("&LT;a href=&quot;x&quot;&gt;&#039;&amp;&apos;&lt;/a&gt;")).toBe(text);
  expect(unescapeHtml("a&nbsp;b &#x27;c&#x027; &euro;")).toBe("a b 'c' &euro;");
});

it("takes off what was put on, however often", () => {
  const text = fc.string({ unit: fc.constantFrom("<", ">", '"', "'", "&", "a", " ") });
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 4 }), (plain, times) => {
      let escaped = plain;
      for (let i = 0; i < times; i++) escaped = escapeHtml(escaped);
      expect(unescapeHtml(escaped)).toBe(plain);
    }),
  );
});

it("reads one that was escaped any number of times, as long as it is", () => {
  const levels = 100_000;
  expect(unescapeHtml(`&${"amp;".repeat(levels)}lt;&${"amp;".repeat(levels)}`)).toBe("<&");
});
