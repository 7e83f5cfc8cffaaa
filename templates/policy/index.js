const { PolicyPack } = require("@pulumi/policy");
const { esignPolicies } = require("pulumi-esign/policy");

// Levels and settings are here, or in the file of --policy-pack-config, which is for esign lint as well.
new PolicyPack("esign", {
  policies: esignPolicies({
    "no-all-webhook": { stacks: ["*prod*", "*live*"] },
    // "approved-wording": { hashes: [] },
  }),
});
