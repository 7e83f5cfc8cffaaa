/**
 * Every command, with the module that implements it. Start-up is a hot path: a module is loaded when its command was named,
 * and help lists these sentences without loading any.
 */
import type { CommandGroup } from "./command-group";

/** The commands that sdk's endpoints become. */
const apiSummaries = {
  branding: "Logo, colour and email templates",
  webhooks: "Webhooks: which URL receives which events",
  companies: "Subaccounts of a partner",
  usage: "Usage of a partner's subaccounts",
  envelopes: "Documents sent for signature",
  "embed-sessions": "Pages on which people complete drafts inside your application",
  users: "People who work with the account",
  contacts: "People to whom the account sends envelopes",
  templates: "Envelope templates",
  settings: "Preferences of the account",
};

export const groups: readonly CommandGroup[] = [
  {
    title: "Start:",
    commands: { init: "Create a project, from a template or an existing account" },
    load: async () => (await import("./init/index.js")).addInit,
  },
  {
    title: "Start:",
    commands: { export: "Generate a project from an existing account" },
    load: async () => (await import("./export/index.js")).addExport,
  },
  {
    title: "Start:",
    commands: { emulator: "Run the local emulator of the service" },
    aliases: { service: "emulator" },
    load: async () => (await import("./emulator/index.js")).addEmulator,
  },
  {
    title: "Start:",
    commands: { doctor: "Check the connection, key, clock and limits of an account" },
    load: async () => (await import("./doctor/index.js")).addDoctor,
  },
  {
    title: "Deploy:",
    commands: {
      up: "Preview and apply changes",
      preview: "Show what `up` would change",
      refresh: "Update the state to match the account",
      destroy: "Delete or restore everything the stack manages",
    },
    load: async () => (await import("./deploy/index.js")).addDeploy,
  },
  {
    title: "Deploy:",
    commands: { rollback: "Apply an earlier deployment of the stack's history" },
    load: async () => (await import("./rollback.js")).addRollback,
  },
  {
    title: "Deploy:",
    commands: { fleet: "Deploy one program for many customers" },
    load: async () => (await import("./fleet/index.js")).addFleet,
  },
  {
    title: "Deploy:",
    commands: { cancel: "Remove the lock that a killed run left on a stack" },
    rare: ["cancel"],
    load: async () => (await import("./deploy/cancel.js")).addCancel,
  },
  {
    title: "Review:",
    commands: { lint: "Check the files of an account: email templates, links, colours" },
    aliases: { check: "lint" },
    load: async () => (await import("./lint.js")).addLint,
  },
  {
    title: "Review:",
    commands: { emails: "Render email templates as HTML pages" },
    load: async () => (await import("./emails/index.js")).addEmails,
  },
  {
    title: "Review:",
    commands: { diff: "Compare two accounts, folders or stacks" },
    load: async () => (await import("./diff.js")).addDiff,
  },
  {
    title: "Review:",
    commands: { drift: "Report changes made outside Pulumi, and what no stack manages" },
    load: async () => (await import("./drift/index.js")).addDrift,
  },
  {
    title: "Review:",
    commands: { promote: "Copy changes from one environment into another's files" },
    load: async () => (await import("./promote/index.js")).addPromote,
  },
  {
    title: "Stacks:",
    commands: { stack: "Create, list, select, inspect, export and remove stacks" },
    load: async () => (await import("./stack/index.js")).addStack,
  },
  {
    title: "Stacks:",
    commands: { config: "Read and write a stack's configuration" },
    load: async () => (await import("./stack/config.js")).addConfig,
  },
  {
    title: "Stacks:",
    commands: { state: "Protect, taint, rename or delete single resources in the state" },
    rare: ["state"],
    load: async () => (await import("./stack/state.js")).addState,
  },
  {
    title: "API:",
    commands: apiSummaries,
    rare: ["usage", "embed-sessions", "users", "contacts", "templates", "settings"],
    load: async () => {
      const { addApi } = await import("./api/index.js");
      return (program) => addApi(program, apiSummaries);
    },
  },
  {
    title: "Tools:",
    commands: { explain: "Explain an API error code" },
    load: async () => (await import("./explain.js")).addExplain,
  },
  {
    title: "Tools:",
    commands: { leaks: "Scan state, logs and files for API keys" },
    rare: ["leaks"],
    load: async () => (await import("./leaks/index.js")).addLeaks,
  },
  {
    title: "Tools:",
    commands: { completion: "Print a completion script for bash, zsh or fish" },
    rare: ["completion"],
    load: async () => {
      const { addCompletion } = await import("./help/completion.js");
      return (program) => addCompletion(program, groups);
    },
  },
];

export const groupOf = (name: string): CommandGroup | undefined =>
  groups.find(({ commands, aliases }) => name in commands || name in (aliases ?? {}));
