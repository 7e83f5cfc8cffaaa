/** Stacks that own parts of an account. */
import type { ResourceKind } from "../../definitions/model";

/** What a stack has deployed. */
export interface Owned {
  kind: ResourceKind;
  /** Id of the subaccount that it is in. */
  account?: string;
  /** Without that of its subaccount. */
  id: string;
  fields: Record<string, string>;
}

/** The state of such a stack, as a deployment of it leaves it. */
export function stateOf(stack: string, owned: Owned[]) {
  const urn = (type: string, name: string) => `urn:pulumi:${stack}::shop::${type}::${name}`;
  const root = { urn: urn("pulumi:pulumi:Stack", `shop-${stack}`), type: "pulumi:pulumi:Stack", custom: false };
  return {
    version: 3,
    deployment: {
      manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
      resources: [
        root,
        ...owned.map(({ kind, account, id, fields }, i) => {
          const type = `pulumi-nodejs:dynamic/esign:${kind}`;
          const inputs = {
            ...fields,
            ...(kind === "BrandingEmail" && { type: id }),
            ...(kind === "Company" && { userName: "Ann", userEmail: "ann@mail.example" }),
            ...(account !== undefined && { account }),
          };
          const outputs = {
            ...inputs,
            ...(fields.logoUrl !== undefined && { logo: fields.logoUrl }),
            ...(kind === "Webhook" && { webhookId: id }),
            ...(kind === "Company" && { companyId: id }),
          };
          return {
            urn: urn(type, `r${i}`),
            type,
            custom: true,
            id: account === undefined ? id : `${account}/${id}`,
            parent: root.urn,
            inputs,
            outputs,
          };
        }),
      ],
    },
  };
}
