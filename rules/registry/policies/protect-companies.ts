import { policy } from "../../rule";

export const protectCompanies = policy({
  name: "protect-companies",
  description: "Keep companies protected: deleting one deletes its envelopes.",
  severity: "error",
  kinds: ["Company"],
  *check({ args, name }) {
    if (args.deletionProtection !== false) return;
    yield {
      field: "deletionProtection",
      message: "the company is not protected from deletion",
      fix: `remove deletionProtection: false; to delete the company, list ${JSON.stringify(name)} under the policy's except`,
    };
  },
});
