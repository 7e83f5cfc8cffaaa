/** What a program in Python prints when the Pulumi CLI ends it is not shown; its own errors are. */
import { expect, test } from "vitest";
import { PythonInterrupts } from "../../cli/engine/python-interrupts";

function shown(...printed: string[]): string[] {
  const filter = new PythonInterrupts();
  const lines = printed.map(
    (message) => ({ type: "diagnostic", severity: "info", source: "program", message }) as const,
  );
  return [...lines.flatMap((line) => filter.take(line)), ...filter.rest()].map(({ message }) => message);
}

const head = "Traceback (most recent call last):";
const frames = [`  File "main.py", line 1, in <module>`, "    work()", "    ^^^^^^"];
const link = "During handling of the above exception, another exception occurred:";

test.each<[string, string[], string[]]>([
  ["an interrupt", [head, ...frames, "KeyboardInterrupt"], []],
  ["one during another", [head, ...frames, "KeyboardInterrupt", link, head, ...frames, "KeyboardInterrupt"], []],
  ["lines around it", ["one", head, ...frames, "KeyboardInterrupt", "two"], ["one", "two"]],
  ["an error", [head, ...frames, "ValueError: x"], [head, ...frames, "ValueError: x"]],
  [
    "an error, then the interrupt",
    [head, "ValueError: x", link, head, "KeyboardInterrupt"],
    [head, "ValueError: x", link],
  ],
  ["an error in the interrupt", [head, "KeyboardInterrupt", link, head, "OSError"], [head, "OSError"]],
  ["a traceback that is cut off", [head, ...frames], [head, ...frames]],
  ["a word that only begins so", [head, "KeyboardInterruption: x"], [head, "KeyboardInterruption: x"]],
  ["the words elsewhere", ["KeyboardInterrupt", link], ["KeyboardInterrupt", link]],
])("%s", (_, printed, lines) => {
  expect(shown(...printed)).toEqual(lines);
});

test("a traceback without an end is shown", () => {
  const printed = [head, ...Array.from({ length: 3000 }, () => "  frame"), "KeyboardInterrupt"];
  expect(shown(...printed)).toEqual(printed);
});
