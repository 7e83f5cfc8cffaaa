/** The rules that reading a folder goes by: what they ask for. They cannot be switched off, since nothing works without them. */
import type { Rule } from "./types";

export const builtInRules: readonly Pick<Rule, "name" | "severity" | "description">[] = [
  {
    name: "settings",
    severity: "error",
    description: "account.yaml and company.yaml say what the service understands.",
  },
  { name: "encoding", severity: "error", description: "Files are UTF-8." },
  {
    name: "unknown-email",
    severity: "error",
    description: "A directory of an e-mail has the name of a type that exists.",
  },
  { name: "missing-file", severity: "error", description: "A sub account has a company.yaml." },
  { name: "unused-file", severity: "warning", description: "Every file is read by somebody." },
  {
    name: "template-syntax",
    severity: "error",
    description: "After ${ stands a value or an inclusion; $${ is the literal.",
  },
  { name: "unknown-partial", severity: "error", description: "A partial that is included exists." },
  { name: "circular-partial", severity: "error", description: "No partial includes itself." },
  { name: "missing-value", severity: "error", description: "Every value that a template names is given." },
  { name: "unused-value", severity: "error", description: "Every value that is given is used." },
];
