/** A server of pictures, which a test changes. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";

const signature = Buffer.from("89504e470d0a1a0a", "hex");

/** A picture that differs from others by its text. */
export const png = (text: string, size = 0) => Buffer.concat([signature, Buffer.from(text), Buffer.alloc(size)]);

export interface PictureServer {
  /** Paths that were requested. */
  readonly requests: string[];
  url(path?: string): string;
  answers(listener: RequestListener): void;
  shows(picture: Buffer): void;
}

/** For the tests around. */
export function usePictureServer(): PictureServer {
  let listener: RequestListener = () => {};
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    listener(request, response);
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
  beforeEach(() => {
    requests.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return {
    requests,
    url: (path = "/logo.png") => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    answers: (next) => {
      listener = next;
    },
    shows: (picture) => {
      listener = (_, response) => response.end(picture);
    },
  };
}
