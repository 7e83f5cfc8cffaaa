import { fetchThrough } from "../../../sdk/http/proxy-fetch";
import { parseUrl } from "../../../sdk/text/url";

const TIMEOUT = 5_000;

/** Sends an empty form, which is no event, and is not signed: the status of the answer, or the error. */
export async function callUrl(url: string): Promise<number | string> {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? "")) return "no URL";
  try {
    const response = await fetchThrough(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { name, cause } = error as Error;
    return name === "TimeoutError"
      ? `no answer for ${TIMEOUT / 1000} s`
      : String(Object(cause).code ?? "not reachable");
  }
}
