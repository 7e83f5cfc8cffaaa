/** Errors of either engine about a value that a customer lacks, with where a fleet takes it from. */

/** What `config set` would set, the next run of the fleet would remove. */
export const fromCustomersFile = (message: string): string =>
  /\b(lacks the configuration|is missing configuration value)\b/.test(message)
    ? `${message.replace(/ Set it: config set .*$/m, "")}\nAdd the value to the customer in the file of customers.`
    : message;
