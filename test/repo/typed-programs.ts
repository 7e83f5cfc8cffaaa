/** Programs in TypeScript that use the installed package, and what the compiler says of them. */
import { join } from "node:path";
import ts from "typescript";
import { save } from "../files";

/** What programs import and use. */
export const program = `import * as esign from "pulumi-esign";
  import type { WebhookArgs } from "pulumi-esign";
  import { start } from "pulumi-esign/emulator";
  import { webhook } from "pulumi-esign/hooks";
  import { nodeReceiver } from "pulumi-esign/receiver";
  import { connect, EsignError } from "pulumi-esign/sdk";
  export const all = [esign.Webhook, start, webhook, nodeReceiver, EsignError];
  const args: WebhookArgs = { type: "all", url: "https://h.example.com" };
  // @ts-expect-error a type that does not exist
  export const wrong: WebhookArgs = { type: 7, url: "https://h.example.com" };
  export async function use() {
    const service = await start();
    const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
    await client.webhooks.create({ webhook_type: "all", webhook_url: args.url as string });
    for await (const webhook of client.webhooks.list()) console.log(webhook.webhook_url);
  }`;

/** Settings of today's template for Pulumi projects, which checks the types of packages, too. */
export const today: ts.CompilerOptions = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 };
/** Those of the older one, which needs skipLibCheck for zod's sake. */
export const older: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  target: ts.ScriptTarget.ES2020,
  skipLibCheck: true,
};

/** As the compiler does it; in this process, since reading the compiler takes its time, too. */
export function compile(home: string, files: Record<string, string>, options: ts.CompilerOptions): ts.Program {
  save(home, files);
  const names = Object.keys(files).map((name) => join(home, name));
  return ts.createProgram(names, { strict: true, noEmit: true, types: ["node"], ...options });
}

export const messages = (diagnostics: readonly ts.Diagnostic[]): string[] =>
  diagnostics.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
