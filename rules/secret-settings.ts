/** Which settings of a stack's configuration hold secrets, by their names. */
import { matchesAny } from "./name-patterns";

/** Patterns of their names. */
export const secretSettings: readonly string[] = [
  ...["*apiKey", "*api_key", "*api-key", "*privateKey", "*private_key", "*private-key"],
  ...["*secret", "*token", "*password", "*passphrase"],
];

/** True for the name of a secret, also at the end of a path, such as `values["token"]`. */
export const isSecretSetting = (path: string): boolean => matchesAny(secretSettings, path.replace(/["'\]]+$/, ""));
