/**
 * The names of the SDKs that Pulumi generates from the schema. They are permanent from the first release on, and follow from the
 * repository: a release without one is refused (`tools/release/check.mjs`).
 */

/** Where the source lives: `https://github.com/acme/pulumi-esign`. Undefined while it has no public host. */
const home: string | undefined = undefined;

/** A name that begins with a digit, as an owner on GitHub may have, is no identifier. */
const identifier = (name: string) => name.replace(/^\d/, "_$&");

/** Of the schema, what names SDKs, packages and their publisher. Without a repository, the names are Pulumi's own ones. */
export function sdkNames(repository: string | undefined = home) {
  const python = { packageName: "pulumi_esign" };
  if (repository === undefined) return { language: { python } };
  const { host, pathname } = new URL(repository);
  const publisher = pathname.split("/")[1]!;
  const words = publisher.toLowerCase().split("-");
  return {
    repository,
    publisher,
    logoUrl: `${repository}/raw/HEAD/registry/logo.png`,
    // SDKs name it, so that the Pulumi CLI finds the plugin in the releases by itself.
    pluginDownloadURL: `github://api.${host}${pathname}`,
    language: {
      nodejs: { packageName: `@${publisher.toLowerCase()}/esign` },
      python,
      go: { importBasePath: `${host}${pathname}/sdk/go/esign` },
      csharp: { rootNamespace: identifier(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")) },
      // A package has no hyphen; the group of Maven's registry has it (`tools/release/java.mjs`).
      java: { basePackage: `io.github.${identifier(words.join("_"))}` },
    },
  };
}

/** What Go programs import. Without a repository, as the Pulumi CLI generates it. */
export const goModule = (repository: string | undefined = home): string =>
  sdkNames(repository).language.go?.importBasePath ?? "example.com/pulumi-esign/sdk/go/esign";
