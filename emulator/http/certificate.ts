/**
 * The certificate: the user's own, or a self-signed one for this machine's names. Node cannot write X.509, so the few
 * structures are written here (RFC 5280).
 */
import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostnameOf } from "./allowed-hosts";

const YEAR = 365 * 24 * 3600_000;

/** One DER element: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const set = (...parts: Buffer[]) => der(0x31, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const octets = (content: Buffer) => der(0x04, content);
const yes = der(0x01, Buffer.from([0xff]));
/** UTCTime `YYMMDDHHMMSSZ`, valid until 2049. */
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));

const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const SUBJECT_ALT_NAME = oid("551d11");
const BASIC_CONSTRAINTS = oid("551d13");

export interface Certificate {
  /** PEM. Clients that should trust the emulator use it as their certificate authority. */
  cert: string;
  /** PEM. */
  key: string;
}

/** Loads the certificate files, or generates a self-signed certificate for these hosts; undefined for plain HTTP. */
export function loadCertificate(
  tls: boolean | { certFile: string; keyFile: string } | undefined,
  hosts: readonly string[],
): Certificate | undefined {
  if (typeof tls !== "object") return tls ? selfSigned(hosts) : undefined;
  return { cert: readFileSync(tls.certFile, "utf8"), key: readFileSync(tls.keyFile, "utf8") };
}

/** Generates a certificate that is valid for a year: for localhost, 127.0.0.1, ::1 and other names and IPv4 addresses. */
export function selfSigned(hosts: readonly string[] = [], now = new Date()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(COMMON_NAME, der(0x0c, Buffer.from("esign emulator")))));
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const names = sequence(
    der(0x82, Buffer.from("localhost")),
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])),
    ...hosts.flatMap((each) => {
      const host = hostnameOf(each) ?? "";
      if (isIP(host) === 4) return [der(0x87, Buffer.from(host.split(".").map(Number)))];
      return host === "" || host.startsWith("[") ? [] : [der(0x82, Buffer.from(host))];
    }),
  );
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, yes, octets(sequence(yes))),
    sequence(SUBJECT_ALT_NAME, octets(names)),
  );
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_SHA256,
    name,
    sequence(time(new Date(now.getTime() - 24 * 3600_000)), time(new Date(now.getTime() + YEAR))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = createSign("sha256").update(content).sign(privateKey);
  const whole = sequence(content, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole
    .toString("base64")
    .match(/.{1,64}/g)!
    .join("\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}
