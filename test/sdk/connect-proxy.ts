/** A proxy that opens tunnels on CONNECT. Whatever name is asked for, it leads to one port of this machine. */
import { once } from "node:events";
import http from "node:http";
import net from "node:net";

/** `decide` sees each CONNECT, and says the status that it is answered with. */
export async function startProxy(
  port: number,
  decide: (request: http.IncomingMessage) => number = () => 200,
): Promise<http.Server> {
  const proxy = http.createServer().on("connect", (request, socket, head) => {
    const status = decide(request);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const target = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on("error", () => undefined);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}
