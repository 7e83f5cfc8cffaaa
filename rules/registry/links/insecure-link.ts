import { insecureAddresses } from "../../checks/insecure-addresses";
import { lintRule } from "../../rule";

export const insecureLink = lintRule({
  name: "insecure-link",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Use https:// URLs. Mail clients flag http links and block http images.",
  check: ({ texts }) => insecureAddresses(texts),
});
