/** An account's folder as its files have it: with placeholders that are not filled in. */
import type { SectionKind } from "../../definitions/index";
import type { PlaceholderText } from "../placeholders/placeholder-text";
import type { SourceLocation } from "../placeholders/source-map";
import type { AccountFile } from "./account-file";
import type { AccountContent, CompanyContent } from "./settings-schema";

/** An object in account.yaml. */
export interface FolderItem {
  /** Its key in the section; absent for a kind with one object. */
  name?: string;
  /** By field. */
  texts: Readonly<Record<string, PlaceholderText>>;
}

/** The files of an email template. A file without content counts as not set. */
export interface EmailFiles {
  type: string;
  /** Its directory. */
  place: SourceLocation;
  subject?: PlaceholderText;
  content?: PlaceholderText;
  contentPlain?: PlaceholderText;
  /** True if a `body.txt` exists, empty or not: then the plain text is not derived from the HTML. */
  hasPlainFile: boolean;
  /** Files without content. */
  empty: SourceLocation[];
}

/** An account's folder with its placeholders not filled in. */
export interface AccountFolder {
  /** Path below the folder that was read, with slashes; empty for that folder itself. */
  path: string;
  /** account.yaml; empty if the file does not exist. */
  file: AccountFile<AccountContent>;
  /** The objects in the sections of account.yaml. */
  items: Readonly<Record<SectionKind, FolderItem[]>>;
  emails: EmailFiles[];
  /** Set for a subaccount. */
  company?: CompanyFile;
  companies: AccountFolder[];
}

/** A subaccount's company.yaml. */
export interface CompanyFile {
  /** Name of the directory. */
  slug: string;
  file: AccountFile<CompanyContent>;
  texts: Readonly<Record<string, PlaceholderText>>;
}
