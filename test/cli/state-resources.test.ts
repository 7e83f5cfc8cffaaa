/** The resources in what `pulumi stack export` printed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { exportedResources } from "../../cli/references/state-resources";
import { SIG_KEY, SignatureKind } from "../../engine/resource/signatures";

const folder = mkdtempSync(join(tmpdir(), "esign-state-"));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (value: unknown) => ({ [SIG_KEY]: SignatureKind.secret, plaintext: JSON.stringify(value) });
const closed = { [SIG_KEY]: SignatureKind.secret, ciphertext: "v1:abc" };

const urn = "urn:pulumi:dev::program::pulumi-nodejs:dynamic/esign:Webhook::hook";

function read(resource: Record<string, unknown>) {
  const file = join(folder, "state.json");
  const resources = [
    { urn: "urn:pulumi:dev::program::pulumi:pulumi:Stack::program-dev" },
    { custom: true, ...resource },
  ];
  writeFileSync(file, JSON.stringify({ deployment: { resources } }));
  return exportedResources(file);
}

it("has custom resources alone, with secrets at every depth opened and named", () => {
  const result = read({
    urn,
    type: "t",
    id: "7",
    inputs: {
      url: open("https://r.example/?k=hush"),
      nested: { list: [{ deep: open({ pin: "1234" }) }] },
      __provider: "code",
    },
    outputs: { __esign: open("bookkeeping"), shown: "plain" },
  });
  expect(result.stack).toBe("dev");
  expect(result.resources).toHaveLength(1);
  expect(result.resources[0]).toMatchObject({
    name: "hook",
    id: "7",
    inputs: { url: "https://r.example/?k=hush", nested: { list: [{ deep: { pin: "1234" } }] } },
  });
  expect(result.secrets).toEqual(["https://r.example/?k=hush", "1234"]);
});

it.each([{ url: closed }, { nested: [{ url: closed }] }])(
  "refuses an encrypted input, wherever it is (%o)",
  (inputs) => {
    expect(() => read({ urn, type: "t", inputs })).toThrow(`its secret "${Object.keys(inputs)[0]}" is encrypted`);
  },
);

it("reads a state in which only an output is encrypted", () => {
  expect(read({ urn, type: "t", inputs: {}, outputs: { key: closed } }).secrets).toEqual([]);
});
