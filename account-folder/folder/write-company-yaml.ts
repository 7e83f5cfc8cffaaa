/** Writes the company.yaml of a subaccount, with notes on what the API does not return of it. */
import { Document, isMap, isScalar } from "yaml";
import { companyName } from "../../definitions/company";
import type { Item } from "../../definitions/model";
import { escapePlaceholders } from "../placeholders/placeholder-text";

export function companyYaml(company: Item, slug: string): { yaml: string; notes: string[] } {
  const name = companyName(company);
  const { userName, email, userEmail = email } = company.fields;
  const document = new Document({
    name: escapePlaceholders(name),
    userName: escapePlaceholders(userName ?? name),
    ...(userEmail !== undefined && { userEmail: escapePlaceholders(userEmail) }),
    ...(email !== undefined && { email: escapePlaceholders(email) }),
  });
  if (userName === undefined && isMap(document.contents)) {
    const key = document.contents.items.find((pair) => isScalar(pair.key) && pair.key.value === "userName")?.key;
    if (isScalar(key)) {
      key.commentBefore = " The API does not return the first user of a subaccount; these values are substitutes.";
    }
  }
  const lacksEmail = `subaccount ${name}: the API returns no email address; write userEmail into companies/${slug}/company.yaml`;
  return { yaml: document.toString({ lineWidth: 0 }), notes: userEmail === undefined ? [lacksEmail] : [] };
}
