/** What a project's program registers, as the file for `pulumi import --file`. */
import { type AccountModel, asPartner } from "../../../definitions/model";
import { version } from "../../output/version";
import type { Language } from "../../project/new-project/languages";
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
  const { importFile } = await import("../../../provider/components/import-file.js");
  return importFile(company === undefined ? model : asPartner({ id: company, name: company, account: model }), {
    project,
    stack,
    directory: folder,
    component: COMPONENT,
    args: {
      folder,
      values: {},
      lint: "off",
      allowUnknownValues,
      ...(company !== undefined && { account: company }),
    },
    plugin: language === "typescript" ? undefined : version,
  });
}
