import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";

const config = new pulumi.Config("people");

/** Who works with the account. A user with the address is adopted; one that leaves the list stays until its protection is off. */
const team = [
  { name: "Una Bright", email: "una@team.example", role: "admin" },
  { name: "Theo Wells", email: "theo@team.example", role: "user" },
] as const;
const users = team.map(({ name, email, role }) => new esign.User(email.split("@")[0]!, { name, email, role }));

new esign.Contact("landlord", { name: "Lena Landlord", email: "lena@landlord.example" });

new esign.Settings("settings", {
  signatureFormatDefault: "typed",
  signatureFormatAccepted: ["typed", "drawn"],
  emailPdfAttach: false,
});

/** A template by its title, so that the program names no fingerprint. */
const template = esign.getTemplateOutput({ title: config.get("template") ?? "Service agreement" });

export const userIds = users.map(({ userId }) => userId);
export const lease = template.apply(({ fingerprint, parties }) => ({
  fingerprint,
  parties: parties.map((p) => p.name),
}));
