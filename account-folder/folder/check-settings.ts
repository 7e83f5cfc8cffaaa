/** Validates settings with the API's forms. */
import type { z } from "zod";
import { kinds, sectionKinds } from "../../definitions/index";
import { type KindDefinition, settingPath } from "../../definitions/kind";
import type { Fields, Item } from "../../definitions/model";
import { findNewValues } from "../../sdk/enum-schemas";
import { anyUnknown, parseWith } from "../../sdk/parse-rules";
import type { Finding } from "../finding";
import type { AccountFile } from "./account-file";
import type { LoadedAccount } from "./fill-folder";

/** Values with an unresolved placeholder are skipped. */
export function checkSettings(account: LoadedAccount, allowUnknownValues = false): Finding[] {
  const { folder, model, companies } = account;
  const check = (file: AccountFile<unknown>, kind: KindDefinition, { name, fields }: Item): Finding[] =>
    validateFields(kind, fields, allowUnknownValues).map(({ field, message, isWarning = false }) => {
      const path = settingPath(kind, name, field);
      return {
        ...file.place(path),
        rule: "settings",
        severity: isWarning ? "warning" : "error",
        message: `"${path.join(".")}" ${message}`,
        fix: isWarning ? "set esign:allowUnknownValues" : "correct the value, or that of its placeholders",
      };
    });
  return [
    ...sectionKinds.flatMap((kind) => kind.items(model).flatMap((item) => check(folder.file, kind, item))),
    ...kinds.Company.items(model).flatMap((item, i) => check(companies[i]!.folder.company!.file, kinds.Company, item)),
    ...companies.flatMap((company) => checkSettings(company, allowUnknownValues)),
  ];
}

/** Problems that the API's forms report for an item's fields. */
function validateFields(kind: KindDefinition, fields: Fields, allowUnknownValues: boolean) {
  return kind.forms.flatMap(({ form, names, defaults }) => {
    const resolved = Object.entries(names).filter(
      ([field]) => fields[field] !== undefined && !fields[field].includes("‹"),
    );
    // A missing field may be set by a program.
    if (resolved.length === 0) return [];
    const apiValue = (field: string) => (kind.fields[field]?.isRemovable ? fields[field] || null : fields[field]);
    const values = { ...defaults, ...Object.fromEntries(resolved.map(([field, name]) => [name, apiValue(field)])) };
    const parse = () => form.safeParse(values);
    // The folder does not say which edition the account has, so the more permissive one is used.
    const { error } = parseWith({ edition: "current", ...(allowUnknownValues && anyUnknown) }, parse);
    const found = allowUnknownValues ? [] : findNewValues((form as z.ZodObject).shape ?? {}, values);
    const issues = [
      ...(error?.issues ?? []).map((issue) => ({
        name: issue.path[0],
        message: issue.message,
        isWarning: false,
      })),
      ...found.map(({ field, message }) => ({ name: field, message, isWarning: true })),
    ];
    return issues.flatMap(({ name, ...issue }) =>
      resolved.filter(([, each]) => each === name).map(([field]) => ({ field, ...issue })),
    );
  });
}
