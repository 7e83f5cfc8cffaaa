/** Pulumi's SDK is an optional peer: servers that receive notifications, or use the client or the emulator, do without it. */

/** What to say and do where it is missing. From 3.249 on it asks for Node 22. */
export const missingSdk = (user: string, node = process.versions.node): string =>
  `${user} needs Pulumi's SDK, which is not installed: npm install ${Number.parseInt(node, 10) < 22 ? `"@pulumi/pulumi@<${newerNodeFrom}"` : "@pulumi/pulumi"}`;

/** The first version that an older Node than 22 is not for. */
export const newerNodeFrom = "3.249.0";

/** True for the error of loading it where it is missing: Node's, or that of Yarn's Plug'n'Play. */
export const isMissingSdk = (error: unknown): boolean => {
  const { code, message = "" } = error as NodeJS.ErrnoException;
  const isMissing = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND" || code === "UNDECLARED_DEPENDENCY";
  return isMissing && message.includes("@pulumi/pulumi");
};
