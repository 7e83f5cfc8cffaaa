/** Platforms that stop a process, or take its CPU, as soon as its answer is sent. */

/** By a variable that only they set. */
const variables: Record<string, string> = {
  AWS_LAMBDA_FUNCTION_NAME: "AWS Lambda",
  VERCEL: "Vercel",
  K_SERVICE: "Google Cloud Functions or Cloud Run",
};

/** The platform on which work after the answer is not certain to be done; undefined on servers. */
export function stoppingPlatform(): string | undefined {
  const { process, navigator } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
    navigator?: { userAgent?: string };
  };
  if (navigator?.userAgent === "Cloudflare-Workers") return "Cloudflare Workers";
  const variable = Object.keys(variables).find((name) => process?.env?.[name]);
  return variable && variables[variable];
}
