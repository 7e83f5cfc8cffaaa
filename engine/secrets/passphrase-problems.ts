/** What is said of a passphrase that is missing or wrong, with either engine. */

export const missingPassphrase = (stack: string): string =>
  `stack ${stack} keeps its secrets encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE (it may be empty) or PULUMI_CONFIG_PASSPHRASE_FILE`;

export const wrongPassphrase =
  "incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the stack's passphrase";
