/** Error codes, with cause and cure. */
import { codes } from "../../emulator/domain/api-errors";
import { errorCodes } from "../../provider/core/error-codes";
import { explain, sourceOf } from "../../sdk/error-codes";
import { code, table } from "./markdown";

export function apiErrors(): string {
  const rows = Object.entries(codes).map(([number, [status, words]]) => {
    const { cause = "", field, fix = "" } = explain(Number(number)) ?? {};
    const source = sourceOf(Number(number));
    return [
      number,
      String(status),
      words,
      [cause === words ? "" : cause, field ? code(field) : ""].join(" "),
      fix,
      source,
    ];
  });
  return table(["code", "status", "message", "cause", "fix", "known from"], rows);
}

export function providerErrors(): string {
  const rows = Object.entries(errorCodes).map(([name, { title, cause, fix }]) => [name, title, cause, fix]);
  return table(["code", "error", "cause", "fix"], rows);
}
