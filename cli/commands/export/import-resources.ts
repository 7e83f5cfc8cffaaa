/** What a project's program registers, as the file for `pulumi import --file`. */
import { type AccountModel, asPartner } from "../../../account-folder/model";
import { isMissingSdk, missingSdk } from "../../../provider/core/pulumi-sdk";
import { version } from "../../output/version";
import type { Language } from "./languages";
import { COMPONENT } from "./project-template";

export interface ImportOptions {
  /** The project's folder, absolute. */
  folder: string;
  project: string;
  stack: string;
  /** ID of the subaccount, if the project is of one. */
  company: string | undefined;
  language: Language;
  allowUnknownValues: boolean;
}

/** The file's text. Rejects if the program cannot run without additions to the files. */
export async function importResources(
  model: AccountModel,
  { folder, project, stack, company, language, allowUnknownValues }: ImportOptions,
): Promise<string> {
  const args = { folder, values: {}, lint: "off" as const, allowUnknownValues };
  const live = company === undefined ? model : asPartner({ id: company, name: company, account: model });
  try {
    const { importFile } = await import("../../../provider/components/import-file.js");
    const { AccountConfig } = await import("../../../provider/components/account-config.js");
    const register = () => {
      new AccountConfig(COMPONENT, { ...args, ...(company !== undefined && { account: company }) });
    };
    return await importFile(project, stack, live, register, language === "typescript" ? undefined : version);
  } catch (error) {
    throw isMissingSdk(error) ? new Error(missingSdk("it"), { cause: error }) : error;
  }
}
