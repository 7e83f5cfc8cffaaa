/** Programs with the SDK's mocks, and what they register. */
import * as pulumi from "@pulumi/pulumi";

interface Registration {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

export let registered: Registration[] = [];

/** Begins with an empty stack. */
export async function mock(isPreview = false): Promise<void> {
  registered = [];
  const newResource = ({ type, name, inputs }: pulumi.runtime.MockResourceArgs) => {
    registered.push({ type, name, inputs });
    return { id: `${name}-id`, state: { ...inputs, companyId: `${name}-id`, apiKey: "k" } };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "shop", "dev", isPreview);
  pulumi.runtime.setAllConfig({});
}

/** Runs a program as the engine does: with a stack that it belongs to. */
export async function program(body: () => void): Promise<void> {
  await pulumi.runtime.runInPulumiStack(async () => {
    body();
    return {};
  });
  for (let i = 0; i < 30; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** The arguments of a resource or a provider. */
export const inputsOf = (name: string): Record<string, unknown> =>
  registered.find((entry) => entry.name === name && /dynamic|providers/.test(entry.type))!.inputs;
