/** Documents of an envelope made from files: read, checked and put into base64 for `envelopes.createFromFiles`. */
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { validateContent, validateFileName } from "../api/document-type";
import { InputError } from "../errors";

/** A document that carries its content, as `envelopes.createFromFiles` takes it. */
export interface ContentDocument {
  document_title: string;
  document_file_content: string;
  document_file_name: string;
}

/** How a file is called in the envelope. */
export interface FileNaming {
  /** File name with extension (the path's own). */
  name?: string;
  /** Title in the envelope (the name without its extension). */
  title?: string;
}

/**
 * Reads a document from disk.
 *
 * @throws InputError when it is not a PDF, Word or Excel file by name and first bytes, or cannot be read.
 */
export async function fileFromPath(path: string, naming: FileNaming = {}): Promise<ContentDocument> {
  const { name = basename(path), title } = naming;
  // Before the file is opened: a stream that nobody reads would throw its failure at the whole process.
  refuse("document_file_name", validateFileName(name));
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
  const { name } = naming;
  refuse("document_file_name", validateFileName(name));
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of stream) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  } catch (error) {
    refuse(
      "document_file_content",
      `cannot be read (${(error as NodeJS.ErrnoException)?.code ?? "the stream failed"})`,
    );
  }
  const bytes = Buffer.concat(chunks);
  refuse("document_file_content", bytes.length === 0 ? "must not be empty" : validateContent(name, bytes));
  return {
    document_title: naming.title ?? name.replace(/\.[^.]+$/, ""),
    document_file_content: bytes.toString("base64"),
    document_file_name: name,
  };
}

function refuse(path: string, message: string | undefined): void {
  if (message !== undefined) throw new InputError({ operation: "document" }, [{ path, message }]);
}
