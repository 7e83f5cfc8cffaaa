/** Responses about a partner's companies. */
import { both, observation, page, previousPage, type Row, specification, today } from "./row";

const area = "openapi/partners";
const company = (id: string) => `company_id:${id} company_name company_email`;
const pageMembers = "offset:integer limit:integer total_companies companies:list";

export const partnerRows = {
  "companies.create": [
    specification(
      "4.3",
      `message href ${company("id")} api_key user_id:id user_name user_email user_href company_added`,
    ),
    page(`${area}/createcompany`, `message href ${company("string")} api_key user_id user_href`),
    today(specification("4.3", "user_name user_email company_added")),
  ],
  "companies.get": [
    specification("4.3", `${company("id")} contact_created company_usage:list`),
    // A setting of the emulator.
    observation("GET /companies/{company_id}", "company_api_key? company_created?"),
    specification("2.4", "month year sent", "company_usage"),
    page(`${area}/getcompany`, `${company("string")} company_api_key company_created company_usage:list`),
    page(`${area}/getcompany`, "month year sent", "company_usage"),
  ],
  "companies.list": [
    previousPage,
    specification("4", `${pageMembers} next?`),
    specification("4.3", `${company("id")} company_api_key company_created`, "companies"),
    page(`${area}/getcompanies`, pageMembers),
    today(specification("4", "next?")),
    page(`${area}/getcompanies`, `${company("string")} company_api_key company_created`, "companies"),
  ],
  "companies.update": [
    specification("4.3", `message href ${company("id")} company_updated`),
    page(`${area}/updatecompany`, `message href ${company("integer")} company_updated`),
  ],
  "companies.delete": [both(specification("4.3", `message ${company("id")}`))],
  "usage.list": [
    previousPage,
    both(specification("4", `${pageMembers} next?`)),
    both(specification("2.5", "current_start_date current_end_date previous_start_date previous_end_date")),
    both(specification("2.5", "company_id:id company_name current_usage previous_usage company_created", "companies")),
  ],
} satisfies Record<string, readonly Row[]>;
