/** The members of notifications, which of them say which event it is, and the errors of the receiver. */
import { receiverErrors as errors } from "../../receiver/errors";
import { type MemberName, members } from "../../receiver/event-members";
import { identity } from "../../receiver/idempotency-key";
import { code, table } from "./markdown";

const names = (list: readonly string[]) => list.map(code).join(" ");

export function eventMembers(): string {
  const rows = Object.entries(members).map(([action, [required, optional]]) => [
    code(action),
    names(required),
    names(optional),
  ]);
  return table(["action", "required", "optional"], rows);
}

/** Members with the same reason have one row. */
export function eventIdentity(): string {
  const all = Object.entries(identity) as [MemberName, (typeof identity)[MemberName]][];
  const rows = new Map(all.map(([, [counts, reason]]) => [reason, counts]));
  return table(
    ["member", "counts", "reason"],
    [...rows].map(([reason, counts]) => [
      names(all.flatMap(([name, [, its]]) => (its === reason ? [name] : []))),
      counts ? "yes" : "no",
      reason,
    ]),
  );
}

export function receiverErrors(): string {
  const rows = Object.entries(errors).map(([name, [status, message, cause]]) => [
    code(name),
    String(status),
    message,
    cause,
  ]);
  return table(["`code`", "`status`", "meaning", "likely cause"], rows);
}
