/** Users, contacts and templates as programs read them. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";
import * as esign from "../../provider";
import { useEmulator } from "../emulator/use-emulator";

const service = useEmulator({
  seed: {
    partner: {
      users: [{ name: "Nils", email: "nils@northwind.example" }],
      contacts: [{ name: "Carla", email: "carla@client.example" }],
      templates: [
        { fingerprint: "nda", title: "Mutual NDA", pages: 3, mergeFields: [{ id: 4, title: "Name" }] },
        { fingerprint: "lease-1", title: "Lease", parties: ["Tenant", "Landlord"] },
        { fingerprint: "lease-2", title: "Lease" },
      ],
    },
  },
});
beforeAll(async () => {
  pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) });
  pulumi.runtime.setConfig("esign:apiKey", service.keys.partner);
  pulumi.runtime.setConfig("esign:baseUrl", service.url);
});

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve as never));

it("users with their roles, and contacts", async () => {
  expect(await esign.getUsers()).toMatchObject([
    { role: "super-admin", userId: expect.any(String) },
    { name: "Nils", email: "nils@northwind.example", role: "user", createdAt: expect.any(String) },
  ]);
  expect(await esign.getContacts()).toMatchObject([{ name: "Carla", outstandingDocuments: 0 }]);
});

it("a template by its title or its fingerprint, with what an envelope needs", async () => {
  const nda = {
    fingerprint: "nda",
    title: "Mutual NDA",
    pages: 3,
    inProgress: 0,
    parties: [{ partyId: "1", name: "Signer", mergeFields: [{ fieldId: "4", label: "Name", type: "text" }] }],
  };
  expect(await esign.getTemplate({ title: " Mutual  NDA" })).toMatchObject(nda);
  expect(await esign.getTemplate({ fingerprint: "nda" })).toMatchObject(nda);
  expect(await known(esign.getTemplateOutput({ title: pulumi.output("Mutual NDA") }))).toMatchObject(nda);
  expect((await esign.getTemplates()).map(({ fingerprint }) => fingerprint)).toEqual(["nda", "lease-1", "lease-2"]);
});

it.each([
  [{ title: "Mutual NDAs" }, /none of the account's 3 templates has this title, did you mean "Mutual NDA"/],
  [{ title: "Lease" }, "2 templates have this title; set fingerprint: lease-1, lease-2"],
  [{}, "set title or fingerprint, and only one of them"],
  [{ title: "Lease", fingerprint: "lease-1" }, "set title or fingerprint"],
  [{ fingerprint: "none" }, "returned 404"],
  [{ titel: "Lease" } as object, "titel is not an argument of getTemplate"],
])("%j is an error that helps", async (args, message) => {
  await expect(esign.getTemplate(args)).rejects.toThrow(message);
});

it("an interface without them is named", async () => {
  service.configure({ missing: ["users", "templates"] });
  await expect(esign.getUsers()).rejects.toThrow("this account's interface has no users");
  await expect(esign.getTemplate({ title: "Lease" })).rejects.toThrow("this account's interface has no templates");
});
