/**
 * Every command, with the module that knows it. Start-up is a hot path: a module is loaded when its command was named,
 * and help lists these sentences without loading any.
 */
import type { Command } from "commander";

export interface CommandGroup {
  /** Heading in `esign --help`. */
  title: string;
  /** Name and summary of each command. */
  commands: Record<string, string>;
  /** Adds the commands of the group to a program. */
  load: () => Promise<(program: Command) => void>;
}

/** The commands that sdk's endpoints become. */
const summaries = {
  branding: "Logo, colour and the branding e-mails",
  webhooks: "Addresses that are notified of events",
  companies: "Sub accounts of a partner",
  usage: "Usage of a partner's sub accounts",
  envelopes: "Documents sent for signature",
};

export const groups: readonly CommandGroup[] = [
  {
    title: "Deploy:",
    commands: {
      up: "Show what would change, then bring the account to what the program says",
      preview: "Show what `up` would change",
      refresh: "Compare the state with the account, and take over what is different there",
      destroy: "Take back everything that the stack deployed",
    },
    load: async () => (await import("./deploy/index.js")).addDeploy,
  },
  {
    title: "Deploy:",
    commands: { cancel: "Remove the lock of a run that was killed" },
    load: async () => (await import("./cancel.js")).addCancel,
  },
  {
    title: "Stacks:",
    commands: { stack: "Make, list, select, rename, inspect, export and remove stacks" },
    load: async () => (await import("./stack.js")).addStack,
  },
  {
    title: "Stacks:",
    commands: { config: "Read and write the configuration of a stack" },
    load: async () => (await import("./config.js")).addConfig,
  },
  {
    title: "Stacks:",
    commands: { state: "Protect, taint, rename or forget single resources of a stack" },
    load: async () => (await import("./state.js")).addState,
  },
  {
    title: "The service's interface:",
    commands: summaries,
    load: async () => {
      const [{ addApi }, { addWebhooksMap }] = await Promise.all([
        import("./api/index.js"),
        import("./webhooks-map/index.js"),
      ]);
      return (program) => {
        addApi(program, summaries);
        addWebhooksMap(program);
      };
    },
  },
  {
    title: "Daily work:",
    commands: { check: "Check an account's folder before anybody receives its e-mails" },
    load: async () => (await import("./lint.js")).addLint,
  },
  {
    title: "Daily work:",
    commands: { emails: "See the e-mails of a folder as their readers will" },
    load: async () => (await import("./emails/index.js")).addEmails,
  },
  {
    title: "Daily work:",
    commands: { export: "Write an account as a complete Pulumi project" },
    load: async () => (await import("./export/index.js")).addExport,
  },
  {
    title: "Daily work:",
    commands: { diff: "Show how two accounts, folders or stacks differ" },
    load: async () => (await import("./diff.js")).addDiff,
  },
  {
    title: "Daily work:",
    commands: { drift: "Report what was changed in an account since it was deployed" },
    load: async () => (await import("./drift.js")).addDrift,
  },
  {
    title: "Daily work:",
    commands: { inventory: "List what an account has that no code owns" },
    load: async () => (await import("./inventory.js")).addInventory,
  },
  {
    title: "Daily work:",
    commands: { promote: "Carry a change over as edits of a folder's files, for review" },
    load: async () => (await import("./promote/index.js")).addPromote,
  },
  {
    title: "Tools:",
    commands: { service: "Run the local service, to try and test against" },
    load: async () => (await import("./emulator.js")).addEmulator,
  },
  {
    title: "Tools:",
    commands: { doctor: "Check address, key, clock and limits of an account" },
    load: async () => (await import("./doctor.js")).addDoctor,
  },
  {
    title: "Tools:",
    commands: { leaks: "Look for the account's keys in everything that deployments leave behind" },
    load: async () => (await import("./leaks/index.js")).addLeaks,
  },
  {
    title: "Tools:",
    commands: { explain: "Say what an error code of the service means and what to do" },
    load: async () => (await import("./explain.js")).addExplain,
  },
];

export const groupOf = (name: string): CommandGroup | undefined => groups.find((group) => name in group.commands);
