/** Texts of two environments that differ only in the values of their environments. */

import { normalizeText } from "../../definitions/text/normalize";
import type { Values } from "../folder/fill-folder";
import { type TextFormat, valueWriter } from "./match-placeholders";

/** A text, and the values of its environment by their names. */
interface EnvironmentText {
  text: string;
  values: Values;
}

/** Whether two texts are equal but for values of one name, each in its own text. */
export function isSameText(a: EnvironmentText, b: EnvironmentText, format: TextFormat): boolean {
  const write = valueWriter(format);
  const pairs = Object.keys(a.values)
    .filter((name) => a.values[name] && b.values[name] && a.values[name] !== b.values[name])
    .map((name) => [write(a.values[name]!), write(b.values[name]!)] as const)
    // The longest first: a value may begin with another one.
    .sort(([one], [other]) => other.length - one.length);
  const [first, second] = [normalizeText(a.text), normalizeText(b.text)];
  let [i, j] = [0, 0];
  while (i < first.length && j < second.length) {
    const pair = pairs.find(([one, other]) => first.startsWith(one, i) && second.startsWith(other, j));
    if (pair === undefined && first[i] !== second[j]) return false;
    i += pair?.[0].length ?? 1;
    j += pair?.[1].length ?? 1;
  }
  return i === first.length && j === second.length;
}
