/** Opens what a reference names, and reads it. */
import type { CompanyFilter } from "../../account-folder/company-filter";
import { type PictureSource, withPictures } from "../../account-folder/diff/compare-logos";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { type FolderSource, folderSource } from "../../account-folder/diff/from-folder";
import { readAccount } from "../../account-folder/diff/from-service";
import { stackSource } from "../../account-folder/diff/from-state";
import type { KindDefinition } from "../../definitions/kind";
import { type AccountModel, isStub } from "../../definitions/model";
import type { Client } from "../../sdk";
import { openProfile } from "./account-profile";
import { type Connection, openConnection } from "./connect";
import { noteRefusedList } from "./note-refused-list";
import { recordedPictures } from "./recorded-pictures";
import type { Reference } from "./reference";
import { type FolderValues, folderValues } from "./stack-values";
import { exportedResources, stackResources } from "./state-resources";

/** Opens an account by its name. */
export function openAccount({ profile, company }: Reference & { kind: "account" }): Promise<Connection> {
  const account = company === undefined ? {} : { company };
  return profile === undefined ? openConnection(account) : openProfile(profile, account);
}

/** A side with what is needed besides: its client, and texts that must not be shown. */
export interface OpenedReference {
  side: ConfigSource;
  /** Set for an account. */
  client?: Client;
  /** Set for a folder. */
  folder?: FolderSource;
  /** ID of the subaccount, if the account is one. */
  company?: string;
  /** Of a stack: hashes of the pictures that accounts had after the last write, by the declared address. */
  recordedPictures?: ReadonlyMap<string, string>;
  /** Secret texts: they are compared, but not printed. */
  secrets: string[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Which subaccounts to read (all). */
  companies?: CompanyFilter;
  /** Kinds to read of those that are read on request (none). */
  include?: readonly KindDefinition[];
  /** Values of the environment on the other side. */
  otherValues?: FolderValues;
}

/** Opens a side and reads it. */
export async function openReference(named: Reference, options: OpenOptions = {}): Promise<OpenedReference> {
  const nothing = { secrets: [], close: async () => undefined };
  switch (named.kind) {
    case "account": {
      const connection = await openAccount(named);
      try {
        const { client } = connection;
        const model = await readAccount(client, {
          ...(options.companies && { companies: options.companies }),
          ...(options.include && { include: options.include }),
          onRefusedList: noteRefusedList,
        });
        const environment = environmentOf(named);
        const side: ConfigSource = {
          model,
          label: named.text,
          isAuthoritative: true,
          ...(environment !== undefined && { environment }),
        };
        const { company } = connection;
        return { ...nothing, side, client, ...(company !== undefined && { company }), close: () => connection.close() };
      } catch (error) {
        await connection.close();
        throw error;
      }
    }
    case "folder": {
      const own = named.stack === undefined ? undefined : await folderValues(named.path, named.stack);
      const folder = folderSource(named.path, {
        label: named.text,
        ...(own && { values: own.values, environment: named.stack! }),
        ...(options.otherValues && { otherValues: options.otherValues.values }),
      });
      const secrets = [...(own?.secrets ?? []), ...(options.otherValues?.secrets ?? [])];
      return { ...nothing, side: folder, folder, secrets };
    }
    case "stack": {
      const { resources, secrets } = await stackResources(named.stack);
      const side = stackSource(resources, named.text, named.stack);
      return { ...nothing, side, recordedPictures: recordedPictures(resources), secrets };
    }
    case "state": {
      const { resources, stack, secrets } = exportedResources(named.path);
      const side = stackSource(resources, named.text, stack);
      return { ...nothing, side, recordedPictures: recordedPictures(resources), secrets };
    }
  }
}

/** Two sides with what is known of their pictures. */
export function comparedSides(
  a: { side: ConfigSource; opened: OpenedReference },
  b: { side: ConfigSource; opened: OpenedReference },
): Promise<[ConfigSource, ConfigSource]> {
  const source = ({ side, opened: target }: typeof a): PictureSource => ({
    side,
    baseUrl: target.client?.baseUrl,
    recorded: target.recordedPictures,
  });
  return withPictures(source(a), source(b));
}

/**
 * What a stack has in the subaccount that the other side is: an account, or the code of a subaccount's own project, which
 * does not mention its partner. A stack without companies was deployed with the subaccount's own key.
 */
export function scopedTo(
  other: Pick<OpenedReference, "side" | "company">,
  { side, folder }: OpenedReference,
): ConfigSource {
  const { Company: companies = [] } = side.model;
  if (side.isAuthoritative || folder !== undefined || companies.length === 0) return side;
  const { model, isAuthoritative } = other.side;
  const isOfOne = !isAuthoritative && (!model.Company || soleIn(model) !== undefined);
  const ofOne = isOfOne ? soleIn(side.model)?.account : undefined;
  const account =
    other.company === undefined ? ofOne : (companies.find(({ id }) => id === other.company)?.account ?? {});
  return account === undefined ? side : { ...side, model: account };
}

/** The subaccount that contains everything a stack has. */
function soleIn({ Company: [company, ...more] = [], ...items }: AccountModel) {
  const isAll =
    more.length === 0 &&
    Object.values(items).every((own) => own.every(({ fields }) => Object.keys(fields).length === 0));
  return isAll && company !== undefined && isStub(company) ? company : undefined;
}

/** Which environment an account is: only one that was named is known to be this one or another. */
function environmentOf({ profile, company }: Reference & { kind: "account" }): string | undefined {
  if (company !== undefined) return `${profile ?? ""}/${company}`;
  return profile;
}
