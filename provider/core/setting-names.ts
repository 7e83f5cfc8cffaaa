/** The names of settings: in a stack's configuration, in the environment, and among the client's options. */

export const variablePrefix = "ESIGN_";

/** `maxConcurrency` is `ESIGN_MAX_CONCURRENCY` in the environment. */
export function environmentName(name: string): string {
  return `${variablePrefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Whether a key of a stack's configuration sets an account. Older versions of the CLI wrote other keys, which are still valid. */
export const setsAccount = (key: string): boolean => /^esign:(config:)?(apiKey|baseUrl)$/.test(key);

/** The client's options that its advice names. */
const inAdvice = /\b(apiKey|baseUrl|maxConcurrency|requestsPerSecond|timeout)\b/g;

/** The client's advice with names of the configuration: `esign:apiKey` for `apiKey`. */
export const withConfigNames = (advice: string): string => advice.replace(inAdvice, "esign:$&");

/** The same for those who may have set them in the environment: `esign:apiKey (ESIGN_API_KEY)`. */
export const withAllNames = (advice: string): string =>
  advice.replace(inAdvice, (name) => `esign:${name} (${environmentName(name)})`);
