import pulumi_esign as esign

# Everything in the account is in the files beside this one: account.yaml, emails/ and, for a partner, companies/.
esign.AccountConfig("account", folder=".")
