/** A server in which the receiver is tried, and what all of them have. */

export interface Runtime {
  /** Its line in the table of the documentation. */
  name: string;
  version: string;
  /** What npm has of it; a version is that of the table. */
  packages: string[];
  /** Files of the server, which prints its port, and what it has handled. */
  files: Record<string, string>;
  /** Path of the receiver. Default: `/esign`. */
  path?: string;
  /** What the framework does where nothing is set for the receiver: the answers to a form and to JSON, and what the server prints or says. */
  defaults?: { files: Record<string, string>; form: number; json: number; says: RegExp };
  /** Commands to run in their folder, below `node_modules`; the last one is the server. */
  commands: string[][];
}

export const options = `{ secrets: "s3cret", onError: (error: any) => console.log("error", error.code ?? error) }`;
export const handle = `async ({ event }: any) => { await new Promise((done) => setTimeout(done, 20)); console.log("handled", event.action); }`;
const untyped = (text: string) => text.replaceAll(": any", "");

/** A server whose code makes `receiver` with one of the adapters. */
export const server = (adapter: string, code: string, args = "") =>
  untyped(`import { ${adapter} } from "pulumi-esign/receiver";
const receiver = ${adapter}(${args}${handle}, ${options});
const listening = (port) => console.log("port " + port);
${code}
`);

export const bun = ["@oven", `bun-${process.platform}-${process.arch}`, "bin", "bun"].join("/");
