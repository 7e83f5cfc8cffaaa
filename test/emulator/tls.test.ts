import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Emulator } from "../../emulator";
import { selfSigned } from "../../emulator/http/certificate";
import { temporaryFolder } from "../files";
import { askWithNode, basic } from "./ask";
import { emulatorForTest } from "./use-emulator";

const get = async (service: Emulator, options: object, host = "127.0.0.1") => {
  const headers = { authorization: basic(service.keys.partner) };
  return (await askWithNode(`https://${host}:${service.port}/v1/webhooks?limit=1`, { headers, ...options })).body;
};

test("HTTPS with a certificate made at the start, for clients that trust it", async () => {
  const service = await emulatorForTest({ tls: true });
  expect(service.url).toBe(`https://127.0.0.1:${service.port}`);
  expect((await get(service, { ca: service.certificate })).http).toBe(200);
  expect((await get(service, { ca: service.certificate }, "localhost")).http).toBe(200);
  await expect(get(service, {})).rejects.toThrow(/self.signed/i);
  const strict = { ca: service.certificate, maxVersion: "TLSv1.1", minVersion: "TLSv1.1" };
  await expect(get(service, strict)).rejects.toThrow();
});

test("the certificate is well-formed: names, validity, its own signature", () => {
  const hosts = ["emulator.example", "10.0.0.7", "Bücher.example:8443"];
  const certificate = new X509Certificate(selfSigned(hosts, new Date(Date.UTC(2026, 0, 2))).cert);
  expect(certificate.subject).toBe("CN=esign emulator");
  expect(certificate.subjectAltName).toBe(
    "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:emulator.example, IP Address:10.0.0.7, DNS:xn--bcher-kva.example",
  );
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(new Date(certificate.validFrom).toISOString()).toBe("2026-01-01T00:00:00.000Z");
  expect(certificate.ca).toBe(true);
});

test("HTTPS with a certificate and a key from files", async () => {
  const folder = temporaryFolder();
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const made = selfSigned();
  writeFileSync(certFile, made.cert);
  writeFileSync(keyFile, made.key);
  const service = await emulatorForTest({ tls: { certFile, keyFile } });
  expect(service.certificate).toBe(made.cert);
  expect((await get(service, { ca: made.cert })).http).toBe(200);
});
