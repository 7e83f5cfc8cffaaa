/** Reports that go into a file. */
import { writeDurably } from "../../fs/atomic-write";
import { describe } from "./describe-error";
import { UsageError } from "./errors";

/** Writes a report. One that cannot be written is an error of usage: exit code 1 is for what a report has found. */
export async function writeReport(file: string, text: string): Promise<void> {
  await writeDurably(file, text).catch((error: Error) => {
    throw new UsageError(`cannot write the report ${file}: ${describe(error).lines.join("\n")}`);
  });
}
