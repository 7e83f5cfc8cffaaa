import { expect, test } from "vitest";
import { parsePath } from "../../engine/paths";
import { Scrubber } from "../../engine/scrub";
import { secret } from "../../engine/values";

test("every text of what is secret is hidden, but for what is said to be none", () => {
  const outputs = { book: secret({ key: "0123456789abcdef", text: "hush-hush" }), token: secret("deadbeef") };
  const said = "made with 0123456789abcdef, hush-hush, deadbeef";
  const scrubber = new Scrubber();
  scrubber.spare(outputs, parsePath("book.key")!);
  scrubber.spare(outputs, parsePath("book")!);
  scrubber.spare(outputs, parsePath("nothing.like.it")!);
  scrubber.add(outputs);
  expect(scrubber.scrub(said)).toBe("made with 0123456789abcdef, [secret], [secret]");
  const strict = new Scrubber();
  strict.add(outputs);
  expect(strict.scrub(said)).toBe("made with [secret], [secret], [secret]");
});
