import type { ApiError } from "../../sdk/errors";
import { printNotes } from "../output/print-lines";

/** The service refuses to list subaccounts, with a key that is good for the rest. */
export const noteRefusedList = ({ status, code, serviceMessage }: ApiError): void =>
  printNotes([
    `the account counts as one without subaccounts: the service refuses their list (${[status, code && `code ${code}`, serviceMessage].filter(Boolean).join(", ")}), and accepts the key for the rest`,
  ]);
