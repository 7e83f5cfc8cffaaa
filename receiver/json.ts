/** JSON as the receiver reads it: with a limit on its depth, and without rounding. */

const MAX_DEPTH = 100;

/** Throws an error if the text is no JSON or too deep. Integers that JavaScript would round are strings. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw new Error("nested too deep");
  const value = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  // The text is valid, so each string ends, and the expression never looks at a character twice.
  return JSON.parse(text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, quoteLargeInteger));
}

function quoteLargeInteger(token: string): string {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}

/** The largest number of open brackets outside strings. */
function depthOf(text: string): number {
  let [depth, deepest, isString] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isString) {
      if (character === "\\") i++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return deepest;
}
