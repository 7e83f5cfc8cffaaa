package main

import (
	"example.com/pulumi-esign/sdk/go/esign"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Everything in the account is in the files beside this one: account.yaml, emails/ and, for a partner, companies/.
func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := esign.NewAccountConfig(ctx, "account", &esign.AccountConfigArgs{
			Folder: ".",
		})
		return err
	})
}
