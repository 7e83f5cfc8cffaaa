/** Documents of an envelope from files: read, validated and encoded for `envelopes.createFromFiles`. */
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { InputError } from "../errors";
import { validateContent, validateFileName } from "../file-types/document-type";

/** A document with its content, for `envelopes.createFromFiles`. */
export interface ContentDocument {
  document_title: string;
  document_file_content: string;
  document_file_name: string;
}

/** Names of a file in the envelope. */
export interface FileNaming {
  /** File name with extension (the path's own). */
  name?: string | undefined;
  /** Title in the envelope (the name without its extension). */
  title?: string | undefined;
}

/**
 * Reads a document from disk.
 *
 * @throws InputError when it is not a PDF, Word or Excel file by name and first bytes, or cannot be read.
 */
export async function fileFromPath(path: string, naming: FileNaming = {}): Promise<ContentDocument> {
  const { name = basename(path), title } = naming;
  // Before the file is opened: an error of a stream that is not read ends the process.
  throwIf("document_file_name", validateFileName(name));
  return fileFromStream(createReadStream(path), { name, ...(title === undefined ? {} : { title }) });
}

/**
 * Reads a document from a stream or any other async iterable of bytes, to its end.
 *
 * @throws InputError when it is not a PDF, Word or Excel file by name and first bytes, or cannot be read.
 */
export async function fileFromStream(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  naming: FileNaming & { name: string },
): Promise<ContentDocument> {
  const name: unknown = naming?.name;
  if (typeof name !== "string") return invalid("document_file_name", "is required: pass { name } after the stream");
  throwIf("document_file_name", validateFileName(name));
  if (!isStream(stream)) {
    return invalid(
      "document_file_content",
      "must be a stream of bytes: of a Blob its stream(), of bytes in memory [bytes]",
    );
  }
  const chunks: Uint8Array[] = [];
  let isText = false;
  try {
    for await (const chunk of stream) {
      isText ||= typeof chunk === "string";
      chunks.push(Buffer.from(chunk));
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException)?.code ?? "the stream failed";
    return invalid("document_file_content", `cannot be read (${code})`);
  }
  // Decoding has damaged what is not text.
  throwIf(
    "document_file_content",
    isText ? "must be a stream of bytes, not of text: open it without an encoding" : undefined,
  );
  const bytes = Buffer.concat(chunks);
  throwIf("document_file_content", bytes.length === 0 ? "must not be empty" : validateContent(name, bytes));
  return {
    document_title: naming.title ?? name.replace(/\.[^.]+$/, ""),
    document_file_content: bytes.toString("base64"),
    document_file_name: name,
  };
}

/** Bytes and texts in memory can be iterated, too, but into numbers and letters. */
function isStream(value: unknown): boolean {
  if (typeof value === "string" || ArrayBuffer.isView(value)) return false;
  return Symbol.asyncIterator in Object(value) || Symbol.iterator in Object(value);
}

function throwIf(path: string, message: string | undefined): void {
  if (message !== undefined) invalid(path, message);
}

function invalid(path: string, message: string): never {
  throw new InputError({ operation: "document" }, [{ path, message }]);
}
