// A page with one program in every language: one block of code for each, and the YAML that the others come from last.

const block = (language, text) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

/** The block of a language in a page; undefined if the page has none. */
function blockIn(page, language) {
  const [found] = page.match(new RegExp(`^\`\`\`${language}\\n[^]*?^\`\`\`\\n`, "m")) ?? [];
  return found;
}

/**
 * The new text of a page, and the languages whose block is unchanged because their host is missing.
 * @param page {{ file: string, yaml: string, former: string, languages: readonly string[] }} `former`: the current text, empty for a new page
 * @param convert {(yaml: string, language: string) => string | undefined} the program in a language; undefined if its host is missing
 * @returns {{ text: string, kept: string[] }}
 */
export function examplePage({ file, yaml, former, languages }, convert) {
  const kept = [];
  const blocks = languages.map((language) => {
    const text = convert(yaml, language);
    if (text !== undefined) return block(language, text);
    const current = blockIn(former, language);
    if (current === undefined) throw new Error(`${file} has no ${language}, and the language host of it is missing`);
    kept.push(language);
    return current;
  });
  return { text: [...blocks, block("yaml", yaml)].join("\n"), kept };
}
