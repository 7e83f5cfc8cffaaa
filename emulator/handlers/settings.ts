/** Settings of an account. */
import { formBoolean } from "../../sdk/api/scalars";
import type { SettingValue } from "../../sdk/api/settings";
import { settingsOf } from "../domain/account-settings";
import type { GroupHandlers } from "./handler";

/** The value in the type that the setting has: a form has texts only. */
function inTypeOf(current: SettingValue, value: SettingValue): SettingValue {
  if (typeof current === "boolean") return formBoolean.safeParse(value).data ?? value;
  return typeof current === "number" && Number.isFinite(Number(value)) ? Number(value) : value;
}

export const settings: GroupHandlers<"settings"> = {
  get: { run: ({ account, context }) => settingsOf(account, context.settings.edition) },
  update: {
    errorCodes: { "": "nothing to update", setting_email_pdf_attach: 10361, setting_email_pdf_attach_sender: 10361 },
    run({ context, account, form, origin }) {
      const settings = settingsOf(account, context.settings.edition);
      // A setting that the account does not have is ignored.
      for (const [name, value] of Object.entries(form)) {
        if (Object.hasOwn(settings, name) && value !== undefined)
          account.settings[name] = inTypeOf(settings[name]!, value);
      }
      context.markChanged(account);
      return {
        message: `${account.name} settings have been updated.`,
        href: `${origin}/v1/companies/${account.id}`,
        company_id: account.id,
        company_name: account.name,
        ...settingsOf(account, context.settings.edition),
      };
    },
  },
};
