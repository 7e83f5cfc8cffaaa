/** The logo as a part of the page, which then needs no request of its own. */
import { fetchPicture } from "../pictures/fetch-picture";

/** The logo as a `data:` URL; undefined if it cannot be loaded, or is neither JPG nor PNG. */
export async function fetchLogo(url: string): Promise<string | undefined> {
  const picture = await fetchPicture(url);
  return "failure" in picture ? undefined : `data:${picture.type};base64,${picture.bytes.toString("base64")}`;
}
