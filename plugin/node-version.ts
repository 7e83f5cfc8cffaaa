/**
 * The first lines of the plugin's file: tools/bundle.mjs puts them before all else, with the oldest Node of package.json. An engine shows what
 * a plugin prints that ends at once, and an older Node fails with an error that does not help. Plain JavaScript that is valid as it stands.
 */
if (process.versions.node.localeCompare("OLDEST_NODE", "en", { numeric: true }) < 0) {
  process.stderr.write(
    `pulumi-resource-esign needs Node OLDEST_NODE or newer, and this is ${process.versions.node}: https://nodejs.org\n`,
  );
  process.exit(1);
}
