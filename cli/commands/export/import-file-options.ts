/** What the file for `pulumi import --file` is made from: the component that an exported project's program declares. */
import type { ImportOptions } from "../../../provider/components/pulumi-import-file";
import { version } from "../../output/version";
import type { Language } from "../../project/new-project/languages";
import { COMPONENT } from "./project-template";

interface ExportedProject {
  /** The project's folder, absolute. */
  folder: string;
  name: string;
  stack: string;
  /** ID of the subaccount, if the project is of one. */
  company: string | undefined;
  language: Language;
  allowUnknownValues: boolean;
}

export const importFileOptions = ({
  folder,
  name,
  stack,
  company,
  language,
  allowUnknownValues,
}: ExportedProject): ImportOptions => ({
  project: name,
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
