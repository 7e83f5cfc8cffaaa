/** The text in every state file. Its bytes never change: see decisions/provider-text.md. */
export function providerText(handler: string): string {
  return `exports.handler = () => require("pulumi-esign/hooks").${handler};`;
}
