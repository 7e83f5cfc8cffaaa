/** Pages of help that belong to several commands: `esign help references`, `esign help exit-codes`. */

export const helpTopics: Record<string, { summary: string; text: string }> = {
  references: {
    summary: "How commands name an account, a folder or a stack",
    text: `An account, a folder or a stack is referred to like this:

  account                the account of ESIGN_API_KEY, else of the
                         selected stack
  account:production     the account of ESIGN_PRODUCTION_API_KEY, else of the
                         stack "production"
  account/4711           a subaccount of it, by ID or name
                         (also account:production/4711)
  ./account              a folder, its placeholders unresolved
  ./account@production   a folder with the values of a stack
  stack:production       what a stack has deployed, from its state
  state.json             the same, from the output of "pulumi stack export"

Read commands use --stack, then ESIGN_API_KEY and ESIGN_BASE_URL, then the
selected stack. Write commands never use the selected stack by default.
`,
  },
  "exit-codes": {
    summary: "What each exit code means",
    text: `All commands:

  0  done
  1  failed
  2  wrong usage, invalid input or configuration; nothing was done
  6  no such stack, or none selected
  7  there are changes, with --expect-no-changes; account writes, with
     --expect-no-writes
  8  cancelled, or the question was answered with no

diff, drift:

  0  compared; with --exit-code: no differences
  1  differences, with --exit-code only
  2  could not compare

Other checks:

  lint     1 errors (with --strict: or warnings), 2 could not check
  leaks    1 keys were found, 2 none was found, but not everything was scanned
  doctor   1 a check failed, 2 could not check
`,
  },
};

/** A line for the help of commands that take references. */
export const referencesHint = '\nHow to name an account, a folder or a stack: "esign help references".';
