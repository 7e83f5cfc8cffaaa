/** Commands of the Pulumi CLI that people try here, and what to do instead. */

const withPulumi = (command: string) => `use the Pulumi CLI: pulumi ${command}`;

const remedies: Record<string, string> = {
  login: "states are kept in .pulumi; set PULUMI_BACKEND_URL for another place, or use the Pulumi CLI: pulumi login",
  logout: withPulumi("logout"),
  new: "to create a project: esign init; from an account: esign init --from account",
  import: "to generate code from an existing account: esign export; for single resources: pulumi import",
  watch: 'run "esign preview" or "esign emails serve" while you edit; or use the Pulumi CLI: pulumi watch',
  "config cp": withPulumi("config cp"),
  "config env": withPulumi("config env"),
  "stack change-secrets-provider": withPulumi("stack change-secrets-provider"),
  "stack graph": withPulumi("stack graph"),
  "state edit": withPulumi("state edit"),
  "state move": withPulumi("state move"),
  "state repair": withPulumi("state repair"),
};
for (const verb of ["about", "console", "convert", "deployment", "env", "install", "logs", "org", "package", "plugin"])
  remedies[verb] = withPulumi(verb);
for (const verb of ["policy", "schema"]) remedies[verb] = withPulumi(verb);

/** What to do instead of a command line that only the Pulumi CLI knows; undefined for any other. */
export function remedyForUnsupported(args: readonly string[]): string | undefined {
  const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
  const command = [`${first} ${second}`, first].find((words) => Object.hasOwn(remedies, words));
  return command === undefined ? undefined : `esign has no command "${command}".\n${sentence(remedies[command]!)}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
