/** What a certificate or TLS rejected is known by the code of the error, not by words of its text. */
import { describe, expect, it, test } from "vitest";
import { isLasting, isTlsError, ProxyLoginRequired } from "../../sdk/http/connection-errors";

const failure = (members: Record<string, string>, message = "failed") => Object.assign(new Error(message), members);

test.each(
  ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "HOSTNAME_MISMATCH"].concat([
    "INVALID_CA",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "EPROTO",
  ]),
)("%s is lasting, whatever its text", (code) => {
  expect([isTlsError(failure({ code })), isLasting(failure({ code }))]).toEqual([true, true]);
});

test("what OpenSSL reports is of TLS", () => {
  expect(isTlsError(failure({ library: "SSL routines", reason: "bad record" }))).toBe(true);
});

describe("words of a text decide nothing:", () => {
  it.each<[string, Error | undefined]>([
    ["a host", failure({ code: "ENOTFOUND" }, "getaddrinfo ENOTFOUND certificates.example")],
    ["a proxy", new Error("the proxy of HTTPS_PROXY rejected the connection with status 502 (SSL gateway)")],
    ["a closed connection", failure({ code: "ECONNRESET" }, "disconnected before secure TLS connection")],
    ["another status", new Error("status 407")],
    ["nothing", undefined],
  ])("%s", (_, error) => expect([isTlsError(error), isLasting(error)]).toEqual([false, false]));
});

test("a proxy's demand for a login is lasting, and not of TLS", () => {
  const error = new ProxyLoginRequired("status 407");
  expect([isTlsError(error), isLasting(error)]).toEqual([false, true]);
});
