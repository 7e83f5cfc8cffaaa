/** Conflicts that git has left in a file: both sides, between marks. In an email they would be sent. */
import { conflictRule, type Finding } from "../finding";
import type { SourceFile } from "../placeholders/source-map";

/** The first conflict in a file. */
export function findMergeConflict(file: SourceFile): Finding | undefined {
  const begin = /^\ufeff?<{7} .*/m.exec(file.text);
  if (begin === null) return undefined;
  const rest = file.text.slice(begin.index);
  const middle = /^={7}$/m.exec(rest);
  if (middle === null || !/^>{7} /m.test(rest.slice(middle.index))) return undefined;
  return {
    ...file.place(begin.index, begin.index + begin[0].length),
    rule: conflictRule,
    severity: "error",
    message: "a merge conflict is not resolved",
    fix: "decide between its sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>",
  };
}
