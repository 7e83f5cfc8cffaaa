/**
 * The key of this machine, under which files beside a program keep what may be secret. It is never in the program's folder, so a copy of
 * that, a cache or an archive of it says nothing. Why not the stack's secrets provider: decisions/credentials.md.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createFile } from "./create-file";
import { makeFolderSync } from "./make-folder";

/** Environment variable with the key itself, for machines that do not last: at least 32 characters. */
export const machineKeyVariable = "ESIGN_MACHINE_KEY";

const fewestCharacters = 32;

/** The key is missing, damaged or cannot be kept. `code`: the system's, where it has one. */
export class MachineKeyError extends Error {
  constructor(
    message: string,
    readonly code = "no machine key",
  ) {
    super(message);
  }
}

/** Where the key is. */
function keyFile(env: NodeJS.ProcessEnv): string {
  const windows = process.platform === "win32" ? env.LOCALAPPDATA : undefined;
  return join(env.XDG_STATE_HOME || windows || join(homedir(), ".local", "state"), "pulumi-esign", "machine-key");
}

const keys = new Map<string, Buffer>();

/** The key, which is made on first use. @throws {MachineKeyError} if it cannot be read or kept */
function machineKey(env: NodeJS.ProcessEnv = process.env): Buffer {
  const own = env[machineKeyVariable];
  if (own !== undefined && own !== "" && own.length < fewestCharacters)
    throw new MachineKeyError(`${machineKeyVariable} must have at least ${fewestCharacters} characters`);
  const source = own || keyFile(env);
  let key = keys.get(source);
  if (key === undefined) {
    key = Buffer.from(hkdfSync("sha256", own || readOrMake(source), "", "pulumi-esign machine", 32));
    keys.set(source, key);
  }
  return key;
}

function readOrMake(file: string): string {
  try {
    return read(file) ?? make(file);
  } catch (error) {
    if (error instanceof MachineKeyError) throw error;
    const { code = "unknown failure" } = error as NodeJS.ErrnoException;
    throw new MachineKeyError(`the key of this machine, ${file}, cannot be read or written (${code})`, code);
  }
}

function read(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (text.length < fewestCharacters)
    throw new MachineKeyError(
      `the key of this machine, ${file}, is damaged. Restore it, or remove it to make another one`,
    );
  return text;
}

/** Of two processes that make it at once, the first one's counts. It is flushed: what it encrypts would be lost with it. */
function make(file: string): string {
  const folder = dirname(file);
  makeFolderSync(folder, 0o700);
  const text = randomBytes(32).toString("base64url");
  createFile(file, `${text}\n`, { mode: 0o600, flush: true });
  return read(file) ?? text;
}

/** A hash that says nothing without the key, however short the text is. `purpose` keeps hashes of different uses apart. */
export const keyedHash = (purpose: string, text: string): string =>
  createHmac("sha256", machineKey()).update(`${purpose}\0${text}`).digest("base64url").slice(0, 22);

/** Encrypts a text. `place`: where it is kept; elsewhere it cannot be opened. */
export function seal(place: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", machineKey(), nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** The text; undefined if it was encrypted with another key, for another place, or was changed. */
export function unseal(place: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64");
  const key = machineKey();
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
