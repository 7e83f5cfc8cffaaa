/** Symbolic links in an account's folder: what is outside of it is neither read nor written. */

import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { rejectLinks } from "../../account-folder/folder/symbolic-links";
import { emailTexts } from "../../definitions/branding-email";
import { save, temporaryFolder } from "../files";

let base: string;
let root: string;
/** A link in the folder, to a path from where the link is. */
const link = (target: string, path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
};

beforeEach(() => {
  base = temporaryFolder({
    "secret/subject.txt": "hush",
    "secret/company.yaml": "name: hush\nuserName: h\nuserEmail: h@h.example\n",
    "elsewhere/email-send/subject.txt": "hush",
    "account/account.yaml": "branding:\n  colour: '#1A5FB4'\n",
    "account/emails/email-send/subject.txt": "Sign",
  });
  root = join(base, "account");
});

describe("a link that leaves the folder is refused", () => {
  const subject = "secret/subject.txt";
  test.each<[string, target: string, path: string, outside: string, files?: Record<string, string>]>([
    ["a file", `../../../${subject}`, "emails/email-send/body.txt", subject],
    ["an absolute path", `<base>/${subject}`, "emails/email-send/body.html", subject],
    ["a template's directory", "../../secret", "emails/email-signed", "secret"],
    [
      "a partial",
      `../../${subject}`,
      "partials/footer.txt",
      subject,
      { "emails/email-signed/subject.txt": "${include footer}" },
    ],
    ["the partials", "../secret", "partials", "secret", { "emails/email-signed/subject.txt": "${include subject}" }],
    ["a subaccount", "../../secret", "companies/acme", "secret"],
    ["a subaccount's file", "../../../secret/company.yaml", "companies/acme/company.yaml", "secret/company.yaml"],
    ["all subaccounts", "../secret", "companies", "secret"],
    ["a link to a link", "../../inner", "emails/email-send/body.txt", subject],
    ["a directory on the way", "../elsewhere", "emails", "elsewhere"],
  ])("%s", (_, target, path, outside, files = {}) => {
    save(root, files);
    link(`../${subject}`, "inner");
    if (path === "emails") rmSync(join(root, path), { recursive: true });
    link(target.replace("<base>", base), path);
    const message = `"${join(root, path)}" is a symbolic link to "${join(base, outside)}", which is outside the account folder "${root}". Replace it`;
    expect(() => loadFolder(root)).toThrow(message);
  });

  test("one of a settings file, and one of a folder that is a subaccount's", () => {
    rmSync(join(root, "account.yaml"));
    link("../secret/company.yaml", "account.yaml");
    expect(() => loadFolder(root)).toThrow("which is outside the account folder");
    const acme = join(root, "companies/acme");
    link("../../../secret/company.yaml", "companies/acme/company.yaml");
    expect(() => loadFolder(acme, { soleCompany: true })).toThrow("which is outside the account folder");
  });

  test("one that leads nowhere, or to itself", () => {
    link("nowhere", "emails/email-send/body.txt");
    const message = `"${join(root, "emails/email-send/body.txt")}" is a symbolic link that leads nowhere. Remove it.`;
    expect(() => loadFolder(root)).toThrow(message);
    rmSync(join(root, "emails/email-send/body.txt"));
    link("body.txt", "emails/email-send/body.txt");
    expect(() => loadFolder(root)).toThrow(message);
  });
});

test("links that stay in the folder, and a folder that is one itself, are followed; those that are not read do not matter", () => {
  link("../emails/email-send", "shared/send");
  link("../shared/send", "emails/email-signed");
  link("../email-send/subject.txt", "emails/email-rejected/subject.txt");
  link("../../secret", "node_modules");
  link("../secret", "branding");
  symlinkSync(root, join(base, "named"));
  const { account, findings } = loadFolder(join(base, "named"));
  expect(findings).toEqual([]);
  expect(emailTexts(account.model)["email-signed"]?.subject).toBe("Sign");
  expect(emailTexts(account.model)["email-rejected"]?.subject).toBe("Sign");
});

test("nothing is written through a link, nor outside of the folder", () => {
  link("../secret", "emails/email-signed");
  link("account.yaml", "other.yaml");
  link("nowhere", "missing.yaml");
  for (const path of ["emails/email-signed/subject.txt", "other.yaml", "missing.yaml"])
    expect(() => rejectLinks(root, ["account.yaml", path])).toThrow(/is a symbolic link to ".*": nothing is written/);
  for (const path of ["../secret/subject.txt", "companies/../../secret/x"])
    expect(() => rejectLinks(root, [path])).toThrow("is outside the folder");
  rejectLinks(root, ["account.yaml", "emails/email-send/subject.txt", "new/..file"]);
});
