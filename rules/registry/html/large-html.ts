import { lintRule } from "../../rule";

/** Gmail clips messages beyond about this many bytes. */
const MAX_BYTES = 100_000;

export const largeHtml = lintRule({
  name: "large-html",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: `Keep the HTML body under ${MAX_BYTES / 1000} kB. Gmail clips longer messages.`,
  *check({ texts: email }) {
    const text = email.text("content");
    if (!text) return;
    const size = Buffer.byteLength(text.text);
    if (size <= MAX_BYTES) return;
    yield {
      place: text.place(0),
      message: `the HTML body is ${Math.ceil(size / 1000)} kB; Gmail clips messages over about ${MAX_BYTES / 1000} kB`,
      fix: "shorten it; host images instead of embedding them",
    };
  },
});
