/** References to an account, a folder or a stack, such as `account:production`: see `esign help references`. */
import { existsSync, statSync } from "node:fs";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { UsageError } from "../output/errors";

export type Reference =
  | { kind: "account"; text: string; profile?: string; company?: string }
  | { kind: "folder"; text: string; path: string; stack?: string }
  | { kind: "stack"; text: string; stack: string }
  | { kind: "state"; text: string; path: string };

/** Reads a name; nothing is opened. */
export function parseReference(text: string): Reference {
  const account = /^account(?::([\w.-]+))?(?:\/(.+))?$/.exec(text);
  if (account) {
    const [, profile, company] = account;
    return { kind: "account", text, ...(profile && { profile }), ...(company && { company }) };
  }
  const stack = /^stack:([\w.-]+)$/.exec(text)?.[1];
  if (stack) return { kind: "stack", text, stack };
  if (text.endsWith(".json") && isFile(text)) return { kind: "state", text, path: text };
  if (isDirectory(text)) return { kind: "folder", text, path: text };
  const [, path, values] = /^(.+)@([\w.-]+)$/.exec(text) ?? [];
  if (path && values && isDirectory(path)) return { kind: "folder", text, path, stack: values };
  const near = closeMatch(text.replace(/[:/].*$/, ""), ["account", "stack"]);
  const meant = `${near}${near === "stack" ? ":<name>" : (/[:/].*$/.exec(text)?.[0] ?? "")}`;
  const hint = near === undefined || meant === text ? "" : ` Did you mean "${meant}"?`;
  throw new UsageError(
    `"${text}" is not an account, a stack or an existing folder.${hint} See "esign help references".`,
  );
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();
const isDirectory = (path: string) => existsSync(path) && statSync(path).isDirectory();
