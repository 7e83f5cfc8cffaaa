/** A request may name its fields, members and values like what every JavaScript object inherits, such as `constructor`: they are unknown names. */
import { describe, expect, test } from "vitest";
import { allEndpoints, editions } from "../../sdk";
import { hasBody } from "../../sdk/api/endpoint";
import { ask, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const names = Object.getOwnPropertyNames(Object.prototype);
const values = ["x", {}, [null]];

/** What changes something, with the rest of the form right where it is known. */
const forms: Record<string, object> = {
  "settings.update": { setting_email_pdf_attach: "true" },
  "webhooks.create": { webhook_type: "all", webhook_url: "https://a.example/" },
  "companies.create": { company_name: "C", user_name: "U", user_email: "u@c.example" },
  "branding.update": { branding_colour: "#558CAA" },
};

describe.each(editions)("edition %s", (edition) => {
  const service = useEmulator({ edition });
  const call = ask(service);
  const pathOf = (path: string, value: string) => path.replace(/\{\w+\}/g, value);

  test.each(
    allEndpoints
      .filter(({ endpoint }) => hasBody(endpoint.method))
      .map((one) => [`${one.group}.${one.operation}`, one.endpoint] as const),
  )("%s", async (operation, endpoint) => {
    for (const name of names) {
      for (const value of values) {
        const path = pathOf(endpoint.path, "1");
        const { status } = await call(endpoint.method, path, { ...forms[operation], [name]: value });
        expect([name, value, status < 500]).toEqual([name, value, true]);
      }
      expect((await call(endpoint.method, pathOf(endpoint.path, name), {})).status).toBeLessThan(500);
    }
  });

  test("in documents and parties, and as values", async () => {
    const [{ envelope_documents: documents, envelope_parties: parties }] = [envelopeForm()];
    for (const name of names) {
      for (const value of values) {
        const inDocument = { envelope_documents: [{ ...documents[0], [name]: value }] };
        const inParty = { envelope_parties: [{ ...parties[0], [name]: value, party_role: name }] };
        for (const more of [inDocument, inParty]) {
          const { status } = await call("POST", "/v1/envelopes", envelopeForm(more));
          expect([name, value, status < 500]).toEqual([name, value, true]);
        }
      }
      const file = { document_title: "D", document_file_name: `a.${name}`, document_file_content: "JVBERi0xLjcgeA==" };
      const { body } = await call("POST", "/v1/envelopes", envelopeForm({ envelope_documents: [file] }));
      expect(body).toMatchObject({ code: 10266, http: 400 });
      const list = await call("GET", `/v1/webhooks?${name}=1&offset=1&limit=${name}`);
      expect(list.status).toBeLessThan(500);
    }
  });

  test("what they leave behind is read by others", async () => {
    for (const { endpoint } of allEndpoints.filter(({ endpoint }) => endpoint.method === "GET")) {
      expect((await call("GET", pathOf(endpoint.path, "1"))).status).toBeLessThan(500);
    }
    const { status, body } = await call("GET", "/v1/settings");
    expect([status, Object.keys(body).filter((name) => names.includes(name))]).toEqual([200, []]);
  });
});
