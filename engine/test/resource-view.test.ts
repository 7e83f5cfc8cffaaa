/** Which outputs of a state are secret is known by the state, not by what is printed of them. */
import { expect, test } from "vitest";
import { secret } from "../resource/property-value";
import { resourceView } from "../resource/resource-view";
import { SIG_KEY, SignatureKind } from "../resource/signatures";

const outputs = {
  open: "a",
  looksHidden: "[secret]",
  hidden: secret("b"),
  partly: { deep: ["c", secret("d")] },
  output: { [SIG_KEY]: SignatureKind.output, value: "e", secret: true },
};

test.each([false, true])("with secrets shown: %s", (showSecrets) => {
  const view = resourceView({ urn: "urn:pulumi:dev::p::t:T::n", type: "t:T", outputs }, showSecrets);
  expect(view.secretOutputs).toEqual(["hidden", "partly", "output"]);
  expect(view.outputs.hidden).toBe(showSecrets ? "b" : "[secret]");
  expect(view.outputs.looksHidden).toBe("[secret]");
});

test("without a secret there are none", () => {
  const view = resourceView(
    { urn: "urn:pulumi:dev::p::t:T::n", type: "t:T", outputs: { looksHidden: "[secret]" } },
    false,
  );
  expect(view.secretOutputs).toBeUndefined();
});
