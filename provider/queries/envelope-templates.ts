/** Envelope templates, so that a program names one by its title. */
import { normalizeName } from "../../definitions/text/normalize";
import type { TemplateRecord } from "../../sdk/api/templates";
import type { Client } from "../../sdk/client";
import { didYouMean } from "../../sdk/text/did-you-mean";
import type { TemplateArgs, TemplateInfo } from "./function-types";

const infoOf = (template: TemplateRecord): TemplateInfo => ({
  fingerprint: template.template_fingerprint,
  title: template.template_title ?? undefined,
  pages: template.template_page_total,
  inProgress: template.template_in_progress,
  widgetUrl: template.template_widget_url ?? undefined,
  uploadedAt: template.template_uploaded ?? undefined,
  parties: (template.template_parties ?? []).map(({ party_id, party_name, party_merge_fields }) => ({
    partyId: party_id,
    name: party_name ?? undefined,
    mergeFields: (party_merge_fields ?? []).map(({ field_id, field_merge, field_type }) => ({
      fieldId: field_id,
      label: field_merge ?? undefined,
      type: field_type ?? undefined,
    })),
  })),
});

export async function getTemplates(client: Client): Promise<TemplateInfo[]> {
  return (await client.templates.list().all()).map(infoOf);
}

export async function getTemplate(client: Client, { title, fingerprint }: TemplateArgs): Promise<TemplateInfo> {
  if (fingerprint !== undefined) return infoOf(await client.templates.get({ template_fingerprint: fingerprint }));
  const all = await client.templates.list().all();
  const name = normalizeName(title!);
  const [found, ...others] = all.filter(({ template_title }) => normalizeName(template_title ?? "") === name);
  if (found === undefined) {
    const near = didYouMean(
      title!,
      all.flatMap(({ template_title }) => template_title ?? []),
    );
    throw new Error(`getTemplate: none of the account's ${all.length} templates has this title${near}`);
  }
  if (others.length === 0) return infoOf(found);
  const fingerprints = [found, ...others].map(({ template_fingerprint }) => template_fingerprint).join(", ");
  throw new Error(`getTemplate: ${others.length + 1} templates have this title; set fingerprint: ${fingerprints}`);
}
