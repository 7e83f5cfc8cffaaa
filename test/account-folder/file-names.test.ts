/** Names of files and directories in an exported folder, on every system. */

import { describe, expect, test } from "vitest";
import { foldCase, fromFileName, isReservedName, toFileName } from "../../account-folder/folder/file-names";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { companySlugs } from "../../account-folder/folder/new-names";
import { accountFiles } from "../../account-folder/folder/write-folder";
import { emailTexts } from "../../definitions/branding-email";
import { fc } from "../chance";
import { accountOf } from "./sections";

const devices = ["con", "PRN", "aux", "Nul", "com1", "COM9", "lpt1", "com¹", "conin$", "CONOUT$"];
/** Names that systems do not accept, or take for others, among any others. */
const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.stringMatching(/^[aA%6.1/]{0,6}$/),
  fc
    .tuple(fc.constantFrom(...devices), fc.constantFrom("", ".", " ", ".txt", "-x", ":x", "."))
    .map(([name, end]) => name + end),
);

/** What Windows and POSIX systems refuse as a name, and what readers of folders skip. */
const isRefused = (name: string) =>
  name === "" || /[<>:"/\\|?*\p{Cc}]/u.test(name) || /[. ]$/.test(name) || name.startsWith(".") || isReservedName(name);

describe("file names", () => {
  test("are accepted everywhere, and read back", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const name = toFileName(text);
        expect(isRefused(name)).toBe(false);
        expect(fromFileName(name)).toBe(text);
      }),
    );
  });

  test("of different texts differ by more than letter case", () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        for (const other of [b, a.toUpperCase(), a.toLowerCase(), a.normalize("NFD")])
          expect(foldCase(toFileName(a)) === foldCase(toFileName(other))).toBe(a === other);
      }),
    );
  });

  test("of the service's templates are their types; other names are used as they are", () => {
    expect(toFileName("email-send")).toBe("email-send");
    expect(["nul", "A", "a b", "../x", "a."].map(toFileName)).toEqual(["%6eul", "%41", "a%20b", "%2e.%2fx", "a%2e"]);
    for (const name of ["Email", "%61", "100%", "%zz", "%6Eul"]) expect(fromFileName(name)).toBe(name);
  });
});

describe("directories of subaccounts", () => {
  test("are accepted everywhere, and differ by more than letter case", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(texts, fc.constantFrom("straße", "STRASSE", "Con", "con.", "É", "É"))), (names) => {
        const slugs = companySlugs(names.map((name) => ({ fields: { name } })));
        expect(slugs.filter(isRefused)).toEqual([]);
        expect(new Set(slugs.map(foldCase)).size).toBe(names.length);
      }),
    );
  });

  test("keep the names of an earlier export", () => {
    const existing = { name: "Strasse", fields: { name: "x" } };
    const slugs = companySlugs([{ fields: { name: "Nul" } }, existing, { fields: { name: "Straße" } }]);
    expect(slugs).toEqual(["nul-company", "Strasse", "straße-2"]);
  });
});

test("an account with such names is read as it was written", () => {
  const types = ["CON", "con", "A", "a", "nul.txt", "../up", "end.", "a:b", "Ä"];
  const account = accountOf({
    emails: Object.fromEntries(types.map((type) => [type, { subject: type }])),
    companies: [{ name: "AUX", userName: "A", userEmail: "a@a.example" }],
  });
  const { files, notes } = accountFiles(account);
  expect(notes).toEqual([]);
  expect([...files.keys()].flatMap((path) => path.split("/")).filter(isRefused)).toEqual([]);
  const { account: read, findings } = loadFolder("account", { texts: files, allowUnknownValues: true });
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(emailTexts(read.model)).toEqual(emailTexts(account));
  expect(read.model.Company).toMatchObject([{ name: "aux-company", fields: { name: "AUX" } }]);
});
