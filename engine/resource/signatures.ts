/**
 * Constants in Pulumi's messages and states for values that JSON cannot hold. Imports nothing, so that readers of these formats need no
 * other file.
 */

/** Represents a value that is unknown during a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key of an object that represents a special value; its value says which kind. */
export const SIG_KEY = "4dabf18193072939515e22adb298388d";
export const SignatureKind = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  asset: "c44067f5952c0a294b673a41bacd8c17",
  archive: "0def7320c3a5731c473e5ecbe6d01bc7",
  reference: "5cf8f73096256a8f31e491e813e4eb8e",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
} as const;
