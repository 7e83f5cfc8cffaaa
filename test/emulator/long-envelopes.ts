/** Envelopes made to take long, of any size: the tests send each of them, `npm run bench growth` measures how the time grows with the size. */

export const list = (n: number, item: (i: number) => unknown) =>
  JSON.stringify(Array.from({ length: n }, (_, i) => item(i)));
export const documents = (n: number) =>
  list(n, (i) => ({ document_title: "D", document_url: `https://a.example/${i}.pdf` }));
export const parties = (n: number) =>
  list(n, (i) => ({ party_name: "P", party_email: `p${i}@a.example`, party_role: `signer${i + 1}` }));

/** What is many, a size, the form of a size, and the response's status. */
export const longEnvelopes: [string, number, (n: number) => object, number][] = [
  ["documents", 100, (n) => ({ envelope_documents: documents(n) }), 202],
  ["invalid documents", 200, (n) => ({ envelope_documents: list(n, () => ({})) }), 400],
  ["unknown fields", 1000, (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, "x"])), 202],
  ["nested JSON", 5000, (n) => ({ envelope_documents: "[".repeat(n) + "]".repeat(n) }), 400],
];
