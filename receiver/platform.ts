/** Platforms that stop a process, or take its CPU, as soon as its answer is sent. */

/** Seconds that a handler has there unless `handleWithinSeconds` says otherwise: the service waits for the answer. */
export const defaultHandlerSeconds = 10;

/** By a variable that they set. `K_SERVICE` is also set by other services of Knative, which stop processes as Cloud Run does. */
const variables: Record<string, string> = {
  AWS_LAMBDA_FUNCTION_NAME: "AWS Lambda",
  VERCEL: "Vercel",
  K_SERVICE: "Google Cloud Functions or Cloud Run",
};

/** What is used of the globals of platforms. */
const globals = globalThis as {
  process?: { env?: Record<string, string | undefined> };
  navigator?: { userAgent?: string };
};

/** The platform on which work after the answer is not certain to be done; undefined on servers. */
export function stoppingPlatform(): string | undefined {
  if (userAgent() === "Cloudflare-Workers") return "Cloudflare Workers";
  const variable = Object.keys(variables).find(isSet);
  return variable && variables[variable];
}

/** Deno's signal of a request warns who listens to it. Its bodies notice a client that disconnects. */
export const hasUsableSignal = (): boolean => !userAgent().startsWith("Deno/");

const userAgent = () => globals.navigator?.userAgent ?? "";

function isSet(variable: string): boolean {
  try {
    return Boolean(globals.process?.env?.[variable]);
  } catch {
    // Deno without the permission to read it.
    return false;
  }
}
