/** Each outcome of the request for a picture. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fetchPicture } from "../../account-folder/pictures/fetch-picture";
import { pictureLimits } from "../../account-folder/pictures/picture-limits";
import { png, usePictureServer } from "./picture-server";

const server = usePictureServer();
const other = usePictureServer();
const redirect = (response: ServerResponse, location: string) => response.writeHead(302, { location }).end();

describe("a picture", () => {
  it("is what the server answers, whatever type it says", async () => {
    server.answers((_, response) => response.setHeader("content-type", "text/plain").end(png("a")));
    expect(await fetchPicture(server.url())).toEqual({ type: "image/png", bytes: png("a") });
    server.shows(Buffer.from("ffd8ffe0", "hex"));
    expect(await fetchPicture(server.url())).toMatchObject({ type: "image/jpeg" });
  });

  it("is found behind redirects within its host", async () => {
    server.answers(({ url }, response) =>
      url === "/c.png"
        ? response.end(png("c"))
        : redirect(response, url === "/a.png" ? "/b.png" : server.url("/c.png")),
    );
    expect(await fetchPicture(server.url("/a.png"))).toMatchObject({ bytes: png("c") });
    expect(server.requests).toEqual(["/a.png", "/b.png", "/c.png"]);
  });

  it.each([
    ["is redirected without end", /redirected more than 3 times/, (_, response) => redirect(response, "/again.png")],
    ["is missing", /answered 404/, (_, response) => response.writeHead(404).end(png("a"))],
    ["is not public", /answered 403/, (_, response) => response.writeHead(403).end()],
    ["is behind a broken server", /answered 503/, (_, response) => response.writeHead(503).end(png("a"))],
    ["is redirected to nowhere", /answered 302/, (_, response) => response.writeHead(302).end()],
    ["is a page", /neither a PNG nor a JPG/, (_, response) => response.end("<html>Sign in</html>")],
    ["is empty", /neither a PNG nor a JPG/, (_, response) => response.end()],
    ["is too large", /larger than 2 MB/, (_, response) => response.end(png("a", pictureLimits.bytes))],
    [
      "is large when it is decoded",
      /larger than 2 MB/,
      (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(png("a", pictureLimits.bytes))),
    ],
    ["leads to a file", /not http or https/, (_, response) => redirect(response, "file:///etc/passwd")],
    ["leads to a machine beside", /private network/, (_, response) => redirect(response, other.url())],
    ["breaks off", /could not be reached/, (_, response) => response.socket!.destroy()],
  ] as [string, RegExp, Parameters<typeof server.answers>[0]][])("that %s fails", async (_, reason, listener) => {
    server.answers(listener);
    expect(await fetchPicture(server.url())).toEqual({ failure: expect.stringMatching(reason) });
    expect(server.requests.length).toBeLessThanOrEqual(1 + pictureLimits.redirects);
    expect(other.requests).toEqual([]);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://10.1.2.3/",
    "http://192.168.1.1/",
    "http://[::1]:80/",
    "http://[fd00::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://2130706433/",
    "http://localhost/",
    "http://printer/",
    "http://db.internal/",
  ])("is not looked for at %s, where a server redirects", async (location) => {
    server.answers((_, response) => redirect(response, location));
    expect(await fetchPicture(server.url())).toEqual({ failure: "it is redirected into a private network" });
  });

  it.each(["/never.png", "/drips.png"])("that does not arrive in time fails: %s", async (path) => {
    server.answers(({ url }, response) => {
      if (url === "/drips.png") response.write(png("a"));
    });
    expect(await fetchPicture(server.url(path), 50)).toEqual({ failure: "it did not arrive within 0.05 seconds" });
  });

  it.each(["", "logo.png", "file:///etc/passwd", "http://user:secret@127.0.0.1/a.png", "http://127.0.0.1:1/a.png"])(
    "at %j fails",
    async (url) => {
      const { failure } = (await fetchPicture(url)) as { failure: string };
      expect(failure).toMatch(/^its (address|server) /);
      expect(failure).not.toContain("secret");
    },
  );
});
