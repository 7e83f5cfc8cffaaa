/** An explicit provider of the plugin: its own settings, then the stack's, then the environment's. */
import { expect, it } from "vitest";
import { isSecret, type Properties, secret, unwrap, unwrapAll } from "../../provider/core/pulumi-values";
import { checkConfiguration } from "../../provider/protocol/configure";
import { resolveConfig } from "../../provider/session/provider-config";

const stack = { apiKey: "stack-key", baseUrl: "https://stack.example", retries: "2", expectAccount: "f".repeat(16) };
const check = (own: Properties, environment: NodeJS.ProcessEnv) => {
  const { inputs, issues } = checkConfiguration(own, "shop", environment);
  return { inputs: unwrapAll(inputs), isKeySecret: isSecret(inputs.apiKey), issues };
};
const PULUMI_CONFIG = JSON.stringify(stack);

it("takes what it lacks from the stack, as the Pulumi CLI passes it to the process", () => {
  const { expectAccount: _, ...rest } = stack;
  // The keys that may write go with the stack's key.
  expect(check({ apiKey: "own" }, { PULUMI_CONFIG, ESIGN_BASE_URL: "https://environment.example" })).toEqual({
    inputs: { ...rest, apiKey: "own" },
    isKeySecret: true,
    issues: [],
  });
  expect(check({ baseUrl: "https://own.example" }, { PULUMI_CONFIG }).inputs).toEqual({
    ...stack,
    baseUrl: "https://own.example",
  });
});

it("falls back to the environment where the stack has nothing, and names what is missing", () => {
  const environment = { ESIGN_BASE_URL: "https://environment.example" };
  expect(check({ apiKey: "own" }, environment)).toMatchObject({ inputs: { apiKey: "own" }, issues: [] });
  for (const broken of ["", "no JSON", "[]", "null", '{"baseUrl":null}'])
    expect(check({ apiKey: "own" }, { PULUMI_CONFIG: broken }).issues).toEqual([
      expect.stringMatching(/esign:baseUrl is not set/),
    ]);
});

it("takes no other key in the place of an empty one, which is an output without a value", () => {
  const environment = { PULUMI_CONFIG, ESIGN_API_KEY: "environment-key" };
  for (const apiKey of ["", null, secret(null)])
    expect(check({ apiKey }, environment).issues).toEqual([
      expect.stringMatching(/^esign:apiKey is empty: set the key/),
    ]);
  // What the stack itself leaves empty may come from the environment.
  const emptied = { ...environment, PULUMI_CONFIG: JSON.stringify({ ...stack, apiKey: "" }) };
  expect(check({ ...stack, apiKey: "" }, emptied).issues).toEqual([]);
  expect(check({ apiKey: "own", expectAccount: "" }, environment).issues).toEqual([
    expect.stringMatching(/esign:expectAccount is empty/),
  ]);
  expect(check({ apiKey: "own", baseUrl: "" }, environment)).toMatchObject({
    inputs: { baseUrl: stack.baseUrl },
    issues: [],
  });
});

it("takes nothing that is no setting", () => {
  const { inputs } = checkConfiguration({ apiKey: "own" }, "shop", {
    PULUMI_CONFIG: JSON.stringify({ ...stack, version: "1", other: "x" }),
  });
  expect(Object.keys(unwrap(inputs) as Properties).sort()).toEqual(["apiKey", "baseUrl", "retries"]);
});

it.each(["aa,bb", " aa bb\n", '["aa","bb"]'])("allows several keys, in a list of the stack's file, too: %j", (list) => {
  const settings: Record<string, string> = { ...stack, expectAccount: list };
  const { config } = resolveConfig({ get: (key) => settings[key.replace(/^esign:/, "")] }, {});
  expect(config?.expectAccount).toEqual(["aa", "bb"]);
});
