/** URLs of documents and of their pages, as `pages/index.ts` serves them. */

/** `isSigned`: the document with its signatures. */
export const pdfUrl = (origin: string, fingerprint: string, isSigned = false): string =>
  `${origin}/documents/${encodeURIComponent(fingerprint)}.pdf${isSigned ? "?signed" : ""}`;

/** One picture for each page. */
export const pictureUrls = (
  origin: string,
  { fingerprint, pages }: { fingerprint: string; pages: number },
  kind: "page" | "thumbnail",
): string[] =>
  Array.from(
    { length: pages },
    (_, i) => `${origin}/documents/${encodeURIComponent(fingerprint)}/${kind}-${i + 1}.png`,
  );
