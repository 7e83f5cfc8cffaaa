/** What users do to accept a warning of lint. */
import type { Finding } from "../../account-folder/finding";

export const acceptWarning = ({ rule, file }: Pick<Finding, "rule" | "file">): string =>
  `write lint: { off: { ${rule}: [${file}] } } in account.yaml`;
