/** What users and contacts have in common: people, who are found by their email address. */

import type { ComparedSources } from "./field";
import { identityRules, type KindDefinition, type MatchRule, nameAndIdRules } from "./kind";
import type { Item } from "./model";
import { normalizeEmail } from "./text/normalize";
import { byText } from "./text/sort";

/** How those of two configurations are matched. */
export const matchPeople = (
  kind: KindDefinition,
  { isOtherEnvironment, isSameUnfilled }: ComparedSources,
): MatchRule[] => [
  ...identityRules(kind),
  ...(isSameUnfilled ? [{ key: () => "", when: (a: Item, b: Item) => isSameUnfilled(a, b, "email") }] : []),
  ...nameAndIdRules({ isOtherEnvironment }),
];

/** What is before the `@`: a name in account.yaml. */
export const localPart = ({ fields: { email = "" } }: Item): string => email.split("@")[0]!;

export const byEmail = byText((item: Item) =>
  [normalizeEmail(item.fields.email ?? ""), item.id?.padStart(20, "0")].join("\n"),
);
