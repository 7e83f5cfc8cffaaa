/**
 * An option that is undefined is one that is missing, in each function of the package, also for programs that are compiled with
 * `exactOptionalPropertyTypes`, as these files are: who passes on an option of his own need not leave it out.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type CallOptions,
  type ConnectOptions,
  connect,
  type FileNaming,
  type FindOptions,
  fileFromPath,
  findCreated,
  type PageOptions,
  type WaitOptions,
  waitFor,
} from "../../sdk";
import type { TestStackOptions } from "../../testing";
import { temporaryFolder } from "../files";
import { key, serve } from "./server";

/** Each optional member, without a value: the compiler asks for those that are added. */
type Unset<T> = { [K in keyof T as object extends Pick<T, K> ? K : never]-?: undefined };

const none = undefined;
const call: Unset<CallOptions> = { signal: none, timeout: none };
const page: Unset<PageOptions> = { ...call, offset: none, limit: none };
const client: Unset<ConnectOptions> = {
  maxConcurrency: none,
  requestsPerSecond: none,
  timeout: none,
  pageSize: none,
  retries: none,
  edition: none,
  allowUnknownValues: none,
  onRequest: none,
  onResponse: none,
  waitForTurn: none,
  refuseWrite: none,
  knownCompanies: none,
  isListedLater: none,
  onTestKey: none,
  onNewValue: none,
  onWait: none,
};
const naming: Unset<FileNaming> = { name: none, title: none };
const find: Unset<FindOptions> = { ...call, clockTolerance: none, delays: none };
const wait: Unset<WaitOptions> = {
  until: none,
  timeout: none,
  interval: none,
  maxInterval: none,
  signal: none,
  onProgress: none,
};

test("the client, its calls, lists and helpers", async () => {
  const envelope = { envelope_fingerprint: "f", envelope_status: "signed", envelope_title: "Lease" };
  const list = { http: 200, total_envelopes: 1, envelopes: [envelope] };
  const service = await serve(({ path }) => ({ body: path.endsWith("/f") ? { http: 200, ...envelope } : list }));
  const { envelopes, ...others } = connect({ ...client, baseUrl: service.url, apiKey: key });
  expect(await envelopes.get({ envelope_fingerprint: "f" }, call)).toMatchObject(envelope);
  expect(await envelopes.list(page).all()).toMatchObject([envelope]);
  expect(await waitFor({ envelopes, ...others }, "f", wait)).toMatchObject(envelope);
  const since = new Date();
  expect(await findCreated({ envelopes }, { envelope_title: "Lease" }, { ...find, since })).toMatchObject([envelope]);
  const file = join(temporaryFolder(), "Lease.pdf");
  writeFileSync(file, "%PDF-1.7");
  expect(await fileFromPath(file, naming)).toMatchObject({ document_title: "Lease", document_file_name: "Lease.pdf" });
});

test("a test's stack, by its types", () => {
  const options: TestStackOptions = {
    ...({ stack: none, config: none, emulator: none, env: none } satisfies Unset<TestStackOptions>),
  };
  expect(Object.values(options)).toEqual([none, none, none, none]);
});
