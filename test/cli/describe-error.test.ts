/** An error is known by its class: neither its name nor its members make it another one. */
import { expect, it } from "vitest";
import { UnknownCompany } from "../../account-folder/diff/from-service";
import { FolderError, LinkError } from "../../account-folder/folder/symbolic-links";
import { HtmlLimitError } from "../../account-folder/text/html/limits";
import { describe, inputIssues } from "../../cli/output/describe-error";
import { Exit } from "../../cli/output/exit-codes";
import { ConnectionError, InputError } from "../../sdk/errors";

const named = (error: Error, name: string) => Object.defineProperty(error, "name", { value: name });

it.each([UnknownCompany, FolderError, LinkError, HtmlLimitError])("%o is an error of usage", (Class) => {
  const error = named(new Class("a problem"), "Another");
  expect(describe(error)).toEqual({ lines: error.message.split("\n"), exitCode: Exit.usage });
});

it.each(["UnknownCompany", "FolderError", "HtmlLimitError"])("an error that is only called %s is a defect", (name) => {
  expect(describe(named(new Error("a problem"), name))).toEqual({ lines: ["a problem"], exitCode: Exit.failed });
});

it("the client's errors have what to do; another one with such members has not", () => {
  const offline = new ConnectionError("webhooks.list: no connection", { operation: "webhooks.list" });
  expect(describe(offline).lines.join("\n")).toMatch(/^webhooks.list: no connection\n {4}Check/);
  const members = { kind: "input", explain: () => ({ fix: "nothing" }) };
  const other = Object.assign(new Error("a problem"), members);
  expect(describe(other)).toEqual({ lines: ["a problem"], exitCode: Exit.failed });
  expect(inputIssues(other)).toBeUndefined();
  const issues = [{ path: "url", message: "is missing" }];
  expect(inputIssues(new InputError({}, issues))).toEqual(issues);
});
