import * as esign from "pulumi-esign";

// Everything in the account is in the files beside this one: account.yaml, emails/ and, for a partner, companies/.
new esign.AccountConfig("account", { folder: "." });
