/** An ordinary account whose service refuses the list of subaccounts in its own way. */
import { expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { serve } from "../sdk/server";
import { esign } from "./in-process";

const home = temporaryFolder();
const service = useEmulator();

/** What a gateway of the service would be, with another response to the list. */
async function refusing(refusal: { status: number; body: object }, accepts = true) {
  const { url } = await serve(async ({ method, url: path, path: name, headers, body }) => {
    if (name === "/v1/companies" || !accepts) return refusal;
    const { authorization = "", "content-type": type = "application/json" } = headers;
    const sent = { method, headers: { authorization, "content-type": type }, ...(method !== "GET" && { body }) };
    const response = await fetch(`${service.url}${path}`, sent);
    return { status: response.status, body: await response.json() };
  });
  const env = { ESIGN_BASE_URL: url, ESIGN_API_KEY: service.keys.account };
  return (...args: string[]) => esign(args, { home, env });
}
const refusal = (code?: number) => ({
  status: 403,
  body: { http: 403, ...(code && { code }), message: "A partner-enabled API key is required" },
});
const counts =
  "note: the account counts as one without subaccounts: the service refuses their list (403, code 10002, A partner-enabled API key is required), and accepts the key for the rest\n";

test("its key is a good one, and it has no subaccounts, which one line says", async () => {
  const own = await refusing(refusal(10002));
  save(home, { "files/account.yaml": "branding:\n  colour: '#010203'\n" });
  for (const [args, code] of [
    [["export", "--out", "exported"], 0],
    [["diff", "account", "files", "--exit-code"], 1],
    [["promote", "account", "files", "--all"], 0],
  ] as const) {
    const { code: ended, stdout, stderr } = await own(...args);
    expect([ended, stdout + stderr], args[0]).toEqual([code, expect.not.stringContaining("current key")]);
    expect(stderr.split(counts).length, stderr).toBe(2);
  }
  expect((await own("doctor", "--account-only")).stdout).toMatch(/Partner +no\n/);
});

test("subaccounts that are asked for by name are not taken for none", async () => {
  const { code, stderr } = await (await refusing(refusal(10002)))("export", "--out", "named", "--companies", "Acme");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/10002.*\n(.*\n)*.*partner key/)]);
});

test.each([
  ["a key that is refused for all", refusal(10002), false, /code 10002/],
  ["a list that a gateway refuses", { status: 403, body: { error: "forbidden" } }, true, /403/],
  ["a key that is refused with 401", { status: 401, body: { http: 401, code: 10002 } }, true, /code 10002/],
])("%s is an error", async (_, answer, accepts, message) => {
  const own = await refusing(answer, accepts);
  for (const args of [
    ["export", "--out", "failed"],
    ["doctor", "--account-only"],
  ]) {
    const { code, stderr } = await own(...args);
    expect([code, stderr], args[0]).toEqual([1, expect.stringMatching(message)]);
  }
});
