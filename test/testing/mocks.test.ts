/** Mocks for programs that are tested without a service. */
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import * as esign from "../../provider";
import { esignMocks } from "../../testing/mocks";

const resolved = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => void output.apply(resolve));

it("gives every resource the outputs of its class", async () => {
  await pulumi.runtime.setMocks(esignMocks({ signed: { secret: "whsec" } }));
  const company = new esign.Company("harbour", { name: "Harbour", userName: "Ann", userEmail: "ann@harbour.example" });
  const webhook = new esign.Webhook("signed", { account: company, type: "all", url: "https://hooks.example.com" });
  expect(await resolved(company.companyId)).toBe("harbour-id");
  expect(await resolved(company.apiKey)).toBe("apiKey-of-harbour");
  expect(await resolved(webhook.webhookId)).toBe("signed-id");
  expect(await resolved(webhook.secret)).toBe("whsec");
  expect(await resolved(webhook.url)).toBe("https://hooks.example.com");
  const user = new esign.User("ann", { name: "Ann", email: "ann@shop.example", role: "admin" });
  expect(await resolved(user.userId)).toBe("ann-id");
});

it.each(["pulumi-nodejs:dynamic/esign:Company", "esign:index:Company"])(
  "mocks resources of the type %s",
  async (type) => {
    const { newResource } = esignMocks();
    const args = { type, name: "harbour", inputs: { name: "Harbour" } } as pulumi.runtime.MockResourceArgs;
    expect(await newResource(args)).toMatchObject({
      id: "harbour-id",
      state: { name: "Harbour", companyId: "harbour-id", apiKey: "apiKey-of-harbour" },
    });
  },
);
