/** Resources of programs: each with what it needs, and what a test gives it besides or instead. */
import type { Wanted } from "../provider/programs";

const kind =
  (kind: Wanted["kind"], usualName: string, usual: Wanted["args"]) =>
  (args: Wanted["args"] = {}, name = usualName): Wanted => ({ kind, name, args: { ...usual, ...args } });

export const branding = kind("Branding", "branding", { colour: "#0a0b0c" });
export const email = kind("BrandingEmail", "email", { type: "email-send", subject: "hush {contract title}" });
export const webhook = kind("Webhook", "hook", { type: "all", url: "https://hush.example/" });
export const company = kind("Company", "firm", {
  name: "hush Firm",
  userName: "hush User",
  userEmail: "user@hush.example",
  deletionProtection: false,
});
export const contact = kind("Contact", "contact", { name: "hush Carla", email: "carla@hush.example" });
export const user = kind("User", "user", {
  name: "hush Bo",
  email: "bo@hush.example",
  role: "admin",
  deletionProtection: false,
});
export const settings = kind("Settings", "settings", { emailPdfAttach: false });

/** So many webhooks, each with an address of its own. */
export const webhooks = (count: number, args: Wanted["args"] = {}): Wanted[] =>
  Array.from({ length: count }, (_, i) => webhook({ url: `https://receiver.example/${i}`, ...args }, `hook-${i}`));

/** So many companies. */
export const companies = (count: number): Wanted[] =>
  Array.from({ length: count }, (_, i) =>
    company({ name: `Firm ${i}`, userEmail: `u${i}@firm-${i}.example` }, `firm-${i}`),
  );

/** The n-th edition of a program: something is created, changed, replaced and deleted after the one before it. */
export const edition = (n: number): Wanted[] => [
  branding({ colour: `#0000${String(n % 100).padStart(2, "0")}` }),
  email({ subject: `${n}: {contract title}` }),
  email({ type: n % 2 ? "email-signed" : "email-rejected", subject: "{contract title}" }, "replaced"),
  company({ email: `office${n}@firm.example` }),
  company({ name: `F${n}`, userEmail: `u@f${n}.example` }, `firm-${n}`),
  webhook({ url: "https://r.example/in", account: `firm-${n}` }, "inside"),
  webhook({ url: `https://r.example/${n}` }),
  webhook({ type: "add-user", url: `https://r.example/u${n}` }, `hook-${n}`),
];
