/** Writes the company.yaml of a subaccount, with notes on what the API does not return of it. */
import { Document, isMap, isScalar } from "yaml";
import type { CompanyModel } from "../../definitions/model";
import { escapePlaceholders } from "../placeholders/placeholder-text";

export function companyYaml(company: CompanyModel, slug: string, notes: string[]): string {
  const userEmail = company.userEmail ?? company.email;
  if (userEmail === undefined) {
    notes.push(
      `subaccount ${company.name}: the API returns no email address; write userEmail into companies/${slug}/company.yaml`,
    );
  }
  const document = new Document({
    name: escapePlaceholders(company.name),
    userName: escapePlaceholders(company.userName ?? company.name),
    ...(userEmail !== undefined && { userEmail: escapePlaceholders(userEmail) }),
    ...(company.email !== undefined && { email: escapePlaceholders(company.email) }),
  });
  if (company.userName === undefined && isMap(document.contents)) {
    const key = document.contents.items.find((pair) => isScalar(pair.key) && pair.key.value === "userName")?.key;
    if (isScalar(key)) {
      key.commentBefore = " The API does not return the first user of a subaccount; these values are substitutes.";
    }
  }
  return document.toString({ lineWidth: 0 });
}
