/** Names in another case, on the disks of macOS and Windows, which open a file by each of them. */
import { expect, test } from "vitest";
import { FolderFiles } from "../../account-folder/folder/folder-files";
import { misnamedParts, misnamedSettings } from "../../account-folder/folder/misnamed-files";

class CaselessFiles extends FolderFiles {
  readonly #names: string[];

  constructor(...names: string[]) {
    super("", [], new Map(names.map((name) => [name, "x"])));
    this.#names = [...names, ...names.map((name) => name.split("/")[0]!)];
  }

  #nameOf(path: string): string {
    return this.#names.find((name) => name.toLowerCase() === path.toLowerCase()) ?? path;
  }

  override file(path: string) {
    return super.file(this.#nameOf(path));
  }

  override isDirectory(path: string): boolean {
    return super.isDirectory(this.#nameOf(path));
  }
}

test.each([
  ["Account.yaml", "account.yaml"],
  ["COMPANY.yaml", "company.yaml"],
])("%s alone is %s itself, not another one beside it", (name, right) => {
  expect(misnamedSettings(new CaselessFiles(name), "", right)).toBe(undefined);
});

test("another ending is another file", () => {
  expect(misnamedSettings(new CaselessFiles("account.yaml", "Account.yml"), "", "account.yaml")).toEqual({
    name: "Account.yml",
    fix: "move what is in it to account.yaml, and delete it; or give it another name",
    isError: true,
  });
  expect(misnamedSettings(new CaselessFiles("Account.yml"), "", "account.yaml")?.fix).toMatch(/^rename it to/);
});

test("a directory alone is to be renamed: there is none to move its files to", () => {
  expect(misnamedParts(new CaselessFiles("Emails/email-send/subject.txt"), "", ["emails"])).toEqual([
    { name: "Emails", fix: "rename it to emails", isError: true },
  ]);
});
