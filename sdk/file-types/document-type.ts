/** Checks that a document is a PDF, Word or Excel file, by its name and its first bytes. */

/** Containers by signature. Word and Excel share two: the old compound file and the newer zip. */
const signatures = { pdf: "PDF", compound: "old Word or Excel", zip: "newer Word or Excel" } as const;
type Signature = keyof typeof signatures;

const extensions: Record<string, Signature> = {
  pdf: "pdf",
  doc: "compound",
  xls: "compound",
  docx: "zip",
  docm: "zip",
  xlsx: "zip",
  xlsm: "zip",
};

/** The extensions that a document's name may have. */
export const documentExtensions: readonly string[] = Object.keys(extensions);

/** Bytes that {@link validateContent} needs. PDF readers accept some bytes before the signature. */
export const signatureLength = 1024;

/** What is wrong with a document's name, if anything. */
export function validateFileName(name: string): string | undefined {
  return Object.hasOwn(extensions, extensionOf(name))
    ? undefined
    : `must end with the extension of a PDF, Word or Excel file: .${documentExtensions.join(", .")}`;
}

/** What is wrong with a document's first bytes under this name, if anything. */
export function validateContent(name: string, bytes: Uint8Array): string | undefined {
  const expected = extensions[extensionOf(name)];
  if (expected === undefined) return undefined;
  const actual = signatureOf(bytes);
  if (actual === expected) return undefined;
  const type = actual === undefined ? "neither a PDF nor a Word or Excel file" : `a ${signatures[actual]} file`;
  return `is ${type} by its first bytes, but .${extensionOf(name)} by its name`;
}

function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name.trim())?.[1]?.toLowerCase() ?? "";
}

function signatureOf(bytes: Uint8Array): Signature | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, signatureLength)).toString("latin1");
  if (head.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return "compound";
  if (head.startsWith("PK\x03\x04")) return "zip";
  return head.includes("%PDF-") ? "pdf" : undefined;
}
