/** The text in every state file. Its bytes never change: see decisions/provider-text.md. */
export function providerText(handler: string): string {
  return `exports.handler = () => require("pulumi-esign/hooks").${handler};`;
}

/** The handler that a text names; undefined for the code of another provider. */
export function handlerNamedIn(text: string): string | undefined {
  const [, handler = ""] = /\.(\w+);$/.exec(text) ?? [];
  return providerText(handler) === text ? handler : undefined;
}
