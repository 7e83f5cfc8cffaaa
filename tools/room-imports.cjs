/**
 * The order of the rooms: which room may import which, and inside a room which folder may import which. Read by
 * .dependency-cruiser.cjs, which checks it.
 */

/** What engine/package.json exports: the engine itself, and single modules that are loaded without it. */
const engineInterface = Object.values(require("../engine/package.json").exports).map((file) =>
  file.replace(/^\.\/(.*)\.ts$/, "engine/$1"),
);

/** Each room: the other rooms (or single places in them) that it may import, and its own rows; a row imports only rows before it. `*`: every other file. */
module.exports = {
  fs: { imports: [], rows: ["."] },
  redaction: { imports: [], rows: ["."] },
  sdk: {
    imports: ["redaction"],
    rows: [
      "edition",
      "parse-rules",
      "errors|error-codes|options",
      "text|file-types|known-values|roles",
      "enum-schemas|email-variables",
      "api",
      "http",
      "auth",
      "request",
      "pagination",
      "envelopes",
      "default-warnings",
      "validate-client-options",
      "client",
      "index",
    ],
  },
  // One file for each resource: what the folder, the provider and the docs say of it follows from it.
  definitions: {
    imports: ["sdk", "redaction/url-credentials"],
    rows: ["group-by|model|object-id|text|urn", "field", "argument", "kind", "people", "*", "index"],
  },
  "account-folder": {
    imports: [
      "sdk",
      "definitions",
      "fs/json-text",
      "fs/open-quote",
      "fs/prototype-keys",
      "fs/strict-yaml",
      "fs/yaml-problem",
      "redaction/url-credentials",
    ],
    rows: [
      "account-input-error",
      "company-filter|map-concurrently|text",
      "pictures",
      "placeholders",
      "finding",
      "sarif",
      "folder",
      "diff",
      "promote|email-page",
    ],
  },
  // One definition of each rule: for `lint`, and for a pack of @pulumi/policy.
  rules: {
    imports: ["sdk", "definitions", "account-folder", "engine/config/file-names", "fs/json-text", "fs/prototype-keys"],
    rows: [
      "name-patterns|required-variables",
      "email-texts|values-in-clear|secret-settings",
      "rule",
      "checks",
      "reading-rules|registry",
      "rule-configuration|stack-configuration",
      "lint|pack",
      "index",
    ],
  },
  provider: {
    imports: [
      ...["fs", "redaction", "sdk", "definitions", "account-folder", "rules"],
      ...["engine/events", "engine/resource/signatures"],
    ],
    rows: [
      "core",
      "state",
      "processes|recovery",
      "plan",
      "reporting",
      "session",
      "objects",
      "resources",
      "lifecycle",
      "dynamic",
      "hooks",
      "queries",
      "protocol",
      "pulumi",
      "functions",
      "components",
      "index",
    ],
  },
  // Serves the provider's definitions as a plugin, without the SDK of a language, which its components need, and without the other adapter.
  plugin: {
    imports: [
      "definitions/urn",
      ...["core", "reporting", "session", "protocol", "pulumi", "components"].map((folder) => `provider/${folder}`),
    ],
    rows: ["node-version|messages|engine-log", "errors", "components", "service", "server", "index|bin"],
  },
  // Values, schemas and how a key is named, only: an emulator that used the client's HTTP code would share its mistakes.
  emulator: {
    imports: [
      "fs",
      "sdk/edition",
      "sdk/parse-rules",
      "sdk/known-values",
      "sdk/envelopes/final-statuses",
      "sdk/roles",
      "sdk/http/lookup-loopback",
      "sdk/enum-schemas",
      "sdk/error-codes",
      "sdk/email-variables",
      "sdk/api",
      "sdk/text",
      "sdk/auth/key-fingerprint",
    ],
    rows: [
      "domain|response-members",
      "handlers",
      "http",
      "start-options|control-actions",
      "pages",
      "request-listener",
      "server",
      "index",
    ],
  },
  // For the servers of others: nothing that would bring a package along.
  receiver: {
    imports: ["sdk/api/notification-headers"],
    rows: [
      "errors",
      "headers|form-fields|json|platform|secrets",
      "body|rejection-log",
      "signature",
      "event-members",
      "event",
      "idempotency-key",
      "receive",
      "answer",
      "adapters",
      "index",
    ],
  },
  engine: {
    imports: ["fs", "redaction", "sdk/text/did-you-mean"],
    rows: [
      "events|errors|deferred|preloads|loopback|stack-traces",
      "resource",
      "api",
      "secrets",
      "config",
      "state",
      "plugin",
      "monitor",
      "plan",
      "deploy",
      "yaml",
      "backend",
      "index",
      "test",
    ],
  },
  cli: {
    imports: [
      ...[
        "fs",
        "redaction",
        "sdk",
        "definitions",
        "account-folder",
        "rules",
        "provider",
        "emulator",
        "receiver/secrets",
      ],
      ...engineInterface,
    ],
    rows: [
      "display",
      "output",
      "engine",
      "option-values|project",
      "references",
      "deploy",
      "fleet",
      "commands",
      "node-version|compile-cache",
      "run",
      "start",
      "main|automation",
    ],
  },
  // A command of its own: most users never need it, and what it needs of the command line and of the emulator is listed.
  conformance: {
    imports: [
      ...["sdk", "definitions/text", "emulator/response-members"],
      ...["cli/output", "cli/references", "cli/commands/program", "cli/node-version", "cli/compile-cache", "cli/start"],
    ],
    rows: [
      "value-formats|reportable-names",
      "expectations",
      "fact",
      "member-formats|sender",
      "all-responses|lists|trials",
      "read-account",
      "run-trial|report",
      "format-report",
      "compare",
      "run",
      "main",
    ],
  },
  // For tests of programs: it runs the command as a process, as users do.
  testing: {
    imports: ["definitions/kind", "provider", "emulator", "engine/config/file-names"],
    rows: ["run-esign|mocks", "test-stack", "index"],
  },
};
