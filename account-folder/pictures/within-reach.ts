/** Which pictures are requested. */
import { isLoopback, parseUrl } from "../../sdk/text/url";

/** A service on this machine is an emulator, beside which nothing is requested of other machines. */
export function isWithinReach(url: string, baseUrl: string): boolean {
  const [picture, service] = [parseUrl(url), parseUrl(baseUrl)];
  return picture !== undefined && (!isLoopback(service?.hostname ?? "") || isLoopback(picture.hostname));
}
