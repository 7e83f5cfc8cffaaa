/** The rules that reading a folder goes by: what they ask for. They cannot be switched off, since nothing works without them. */
import type { Rule } from "./types";

export const readingRules: readonly Pick<Rule, "name" | "severity" | "asks">[] = [
  { name: "settings", severity: "error", asks: "account.yaml and company.yaml say what the service understands." },
  { name: "encoding", severity: "error", asks: "Files are UTF-8." },
  { name: "unknown-email", severity: "error", asks: "A directory of an e-mail has the name of a type that exists." },
  { name: "missing-file", severity: "error", asks: "A sub account has a company.yaml." },
  { name: "unused-file", severity: "warning", asks: "Every file is read by somebody." },
  { name: "template-syntax", severity: "error", asks: "After ${ stands a value or an inclusion; $${ is the literal." },
  { name: "unknown-partial", severity: "error", asks: "A partial that is included exists." },
  { name: "circular-partial", severity: "error", asks: "No partial includes itself." },
  { name: "missing-value", severity: "error", asks: "Every value that a template names is given." },
  { name: "unused-value", severity: "error", asks: "Every value that is given is used." },
];
