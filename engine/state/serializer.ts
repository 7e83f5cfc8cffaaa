/**
 * Converts resources from memory to the state file and back.
 *
 * Used for: the checkpoint file, versions 3 and 4.
 */
import { EngineError } from "../errors";
import { intern, internTrace, reuseEqualFields } from "../resource/interning";
import { containsSecret, isSecret, mapDeep, type Tagged, unwrapSecrets, type Value } from "../resource/property-value";
import { RESOURCE_FIELDS } from "../resource/resource-fields";
import { type ResourceState, unknownFields } from "../resource/resource-state";
import { SIG_KEY, SignatureKind } from "../resource/signatures";
import type { Crypter } from "../secrets/crypter";

/** Fields that the file does not contain. */
export const isEmpty = (v: unknown): boolean =>
  v === undefined ||
  v === null ||
  v === false ||
  v === "" ||
  (typeof v === "object" && Object.keys(v as object).length === 0);

/** Whether the text of a state contains encrypted secrets; secrets in plain text do not count. */
export const hasCiphertext = (text: string): boolean => text.includes('"ciphertext"');

/**
 * Encrypts and decrypts the secrets of a state. A value that did not change keeps its ciphertext, so that an
 * unchanged resource is written as it was read.
 */
export class ResourceSerializer {
  readonly #ciphertexts = new Map<string, string>();
  readonly #reader: Crypter | undefined;

  /**
   * @param reader decrypts secrets of the old state
   * @param crypter encrypts secrets of the new state; usually the same, unless the passphrase was changed
   */
  constructor(
    reader: Crypter | undefined,
    readonly crypter: Crypter | undefined = reader,
  ) {
    this.#reader = reader;
  }

  /** Converts an object of the file to a resource, decrypting its secrets in place. */
  deserialize(raw: Record<string, unknown>): ResourceState {
    // In the CLI, null means absent.
    for (const { name } of RESOURCE_FIELDS) if (raw[name] === null) delete raw[name];
    const state = raw as ResourceState;
    state.type = intern(state.type);
    if (state.parent) state.parent = intern(state.parent);
    if (state.provider) state.provider = intern(state.provider);
    if (state.sourcePosition) state.sourcePosition = intern(state.sourcePosition);
    if (state.stackTrace) state.stackTrace = internTrace(state.stackTrace);
    for (const field of ["inputs", "outputs", "replacementTrigger"] as const) {
      const value = state[field];
      if (value !== undefined) (state[field] as Value) = this.decryptSecrets(state.urn, value);
    }
    if (state.inputs && state.outputs) reuseEqualFields(state.outputs, state.inputs);
    return state;
  }

  /** Values with decrypted secrets; `urn` is their resource. */
  decryptSecrets<T extends Value>(urn: string, value: T): T {
    return mapDeep(value, (v) => (isSecret(v) ? this.#decryptSecret(urn, v) : v));
  }

  #decryptSecret(urn: string, v: Tagged<typeof SignatureKind.secret>): Value {
    let text = v.plaintext;
    if (typeof text !== "string") {
      if (typeof v.ciphertext !== "string") throw damagedSecret(urn, "holds nothing");
      if (this.#reader === undefined)
        throw damagedSecret(urn, "cannot be opened: what the state was encrypted with (secrets_providers) is missing");
      text = this.#reader.decrypt(v.ciphertext);
      if (this.#reader.salt === this.crypter?.salt) this.#ciphertexts.set(`${urn}\n${text}`, v.ciphertext);
    }
    return { [SIG_KEY]: SignatureKind.secret, value: this.#parseNested(JSON.parse(text) as Value) };
  }

  /** A secret inside a secret is not encrypted a second time: its "ciphertext" is plain. */
  #parseNested(v: Value): Value {
    return mapDeep(v, (x) =>
      isSecret(x) ? this.#parseNested(JSON.parse(String(x.ciphertext ?? x.plaintext ?? "null")) as Value) : x,
    );
  }

  /** The object of the file for a resource. */
  serialize(state: ResourceState, showSecrets = false): Record<string, unknown> {
    const raw: Record<string, unknown> = {};
    for (const { name: field } of RESOURCE_FIELDS) {
      const v = state[field];
      if (field === "custom") raw.custom = v === true;
      else if (field === "aliases" || isEmpty(v)) continue;
      else if (field === "inputs" || field === "outputs" || field === "replacementTrigger")
        raw[field] = containsSecret(v as Value) ? this.encryptSecrets(state.urn, v as Value, showSecrets) : v;
      else raw[field] = v;
    }
    return Object.assign(raw, unknownFields(state));
  }

  /** Values with encrypted secrets, in the form of the file; `urn` is their resource. */
  encryptSecrets(urn: string, v: Value, showSecrets = false): Value {
    if (v === null || typeof v !== "object") return v;
    if (Array.isArray(v)) return v.map((x) => this.encryptSecrets(urn, x, showSecrets));
    if (isSecret(v)) {
      const text = JSON.stringify(unwrapSecrets(v.value ?? null));
      return {
        [SIG_KEY]: SignatureKind.secret,
        ...(showSecrets ? { plaintext: text } : { ciphertext: this.#ciphertextOf(urn, text) }),
      };
    }
    return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, this.encryptSecrets(urn, x, showSecrets)]));
  }

  #ciphertextOf(urn: string, text: string): string {
    const key = `${urn}\n${text}`;
    let cipher = this.#ciphertexts.get(key);
    if (cipher === undefined) {
      if (this.crypter === undefined) throw new Error("a state with secrets needs a passphrase");
      cipher = this.crypter.encrypt(text);
      this.#ciphertexts.set(key, cipher);
    }
    return cipher;
  }
}

const damagedSecret = (urn: string, how: string): EngineError =>
  new EngineError(
    `a secret of ${urn} ${how}. Go back to a backup (the .bak file beside the state, or its backups folder)`,
    "integrity",
  );
