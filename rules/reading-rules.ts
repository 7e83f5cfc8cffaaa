/** What reading a folder requires. It cannot be disabled, since nothing can be deployed without it. */
import { MAX_INCLUDED, MAX_PARTIALS_DEPTH } from "../account-folder/placeholders/placeholder-text";
import type { Rule } from "./rule";

export const readingRules: readonly Pick<Rule, "name" | "severity" | "description">[] = [
  {
    name: "settings",
    severity: "error",
    description: "Write only settings that account.yaml and company.yaml support.",
  },
  { name: "encoding", severity: "error", description: "Save files as UTF-8." },
  { name: "merge-conflict", severity: "error", description: "Resolve merge conflicts before anything is sent." },
  {
    name: "unknown-email",
    severity: "error",
    description: "Name each directory in emails/ after an email template type.",
  },
  {
    name: "missing-file",
    severity: "error",
    description:
      "Add a company.yaml to each subaccount. Name directories and files exactly as they are read: emails/, account.yaml.",
  },
  { name: "unused-file", severity: "warning", description: "Remove unused files." },
  {
    name: "template-syntax",
    severity: "error",
    description: "After ${, write the name of a placeholder or an include; write $${ for the literal.",
  },
  { name: "unknown-partial", severity: "error", description: "Include only partials that exist." },
  { name: "circular-partial", severity: "error", description: "Do not include a partial in itself." },
  {
    name: "too-many-partials",
    severity: "error",
    description: `Nest partials at most ${MAX_PARTIALS_DEPTH} levels deep; include at most ${MAX_INCLUDED / 1e6} MB.`,
  },
  { name: "missing-value", severity: "error", description: "Set a value for each placeholder." },
  { name: "unused-value", severity: "error", description: "Remove unused values." },
];
