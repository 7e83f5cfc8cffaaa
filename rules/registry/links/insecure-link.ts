import { lintRule } from "../../rule";
import { insecureAddresses } from "./insecure-addresses";

export const insecureLink = lintRule({
  name: "insecure-link",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Use https:// URLs. Mail clients flag http links and block http images.",
  check: ({ texts }) => insecureAddresses(texts),
});
