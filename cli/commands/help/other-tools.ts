/** Words that people bring from the Pulumi CLI and from other tools, and what to do instead. */
const withPulumi = (command: string) => `use the Pulumi CLI: pulumi ${command}`;

const apply = "to preview and apply the program: esign up";
const plan =
  "to see what `up` would change: esign preview; for a plan that `up --plan` applies: esign preview --save-plan <file>";
const remove = "to delete one resource, remove it from the program: esign preview shows what that does to the account";
const stack =
  "to list stacks: esign stack ls; resources and outputs of one: esign stack; one output: esign stack output <name>";

const unlock = "to release the lock that a killed run has left: esign cancel";

const remedies: Record<string, string> = {
  apply,
  deploy: apply,
  push: apply,
  run: apply,
  sync: apply,
  update: apply,
  plan,
  synth: plan,
  workspace:
    "to list stacks: esign stack ls; to create one: esign stack init <name>; to go to one: esign stack select <name>",
  unlock,
  "force-unlock": unlock,
  validate: "to check the files of an account: esign lint; to check the program against the account: esign preview",
  import:
    "to generate code from an existing account: esign export; `up` adopts what exists already; for single resources: pulumi import",
  pull: "to generate code from an existing account: esign export; what was changed in the account: esign drift",
  delete: remove,
  remove,
  rm: remove,
  list: stack,
  ls: stack,
  output: stack,
  outputs: stack,
  show: stack,
  status: `${stack}; what was changed outside Pulumi: esign drift`,
  revert:
    "to apply an earlier deployment: esign rollback; to undo changes made outside Pulumi: esign refresh, then esign up",
  undo: "to apply an earlier deployment: esign rollback; to undo changes made outside Pulumi: esign refresh, then esign up",
  taint: "to renew a resource with the next `up`: esign state taint <urn>",
  test: "to test a program, deploy it to an emulator: npm test in a project of esign init",
  start: "to run the local emulator: esign emulator; to deploy to it: esign up --local",
  serve: "to run the local emulator: esign emulator; to look at emails while you edit them: esign emails serve",
  trigger: "to send a test event: esign emulator trigger <type>",
  upgrade: "to install a newer version: npm install pulumi-esign@latest",
  version: "to print the version: esign --version",
  login: "states are kept in .pulumi; set PULUMI_BACKEND_URL for another place, or use the Pulumi CLI: pulumi login",
  logout: withPulumi("logout"),
  new: "to create a project: esign init; from an account: esign init --from account",
  watch: 'run "esign preview" or "esign emails serve" while you edit; or use the Pulumi CLI: pulumi watch',
  "config cp": withPulumi("config cp"),
  "config env": withPulumi("config env"),
  "stack change-secrets-provider": withPulumi("stack change-secrets-provider"),
  "stack graph": withPulumi("stack graph"),
  "state edit": withPulumi("state edit"),
  "state list": "to list the resources of a stack: esign stack",
  "state move": withPulumi("state move"),
  "state mv": withPulumi("state move"),
  "state pull": "to print the state of a stack: esign stack export",
  "state push": "to replace the state of a stack: esign stack import",
  "state repair": withPulumi("state repair"),
  "state show": "to see the resources of a stack: esign stack; their whole state: esign stack export",
};
for (const verb of ["about", "console", "convert", "deployment", "env", "install", "logs", "org", "package", "plugin"])
  remedies[verb] = withPulumi(verb);
for (const verb of ["graph", "policy", "schema"]) remedies[verb] = withPulumi(verb === "graph" ? "stack graph" : verb);

/** What to do instead of a command line that only another tool knows; undefined for any other. */
export function remedyForUnsupported(args: readonly string[]): string | undefined {
  const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
  if (first === "diff" && second === "")
    return "`esign diff` compares two accounts, folders or stacks, such as: esign diff ./account account.\nTo see what `up` would change: esign preview --diff.";
  const command = [`${first} ${second}`, first].find((words) => Object.hasOwn(remedies, words));
  return command === undefined ? undefined : `esign has no command "${command}".\n${sentence(remedies[command]!)}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
