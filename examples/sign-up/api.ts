/** The service's HTTP interface. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type Account, type Customers, customer, customerId, describeMissing } from "./customers";
import type { Provisioner } from "./provisioner";

const params = z.object({ id: customerId });
const hash = (text: string) => createHash("sha256").update(text).digest();

/** An answer that is not the one that was asked for. */
class HttpError extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

export function addRoutes(app: FastifyInstance, customers: Customers, provisioner: Provisioner, token: string): void {
  const expected = hash(`Bearer ${token}`);
  app.addHook("onRequest", async (request, reply) => {
    if (request.routeOptions.url === "/health") return;
    if (timingSafeEqual(hash(request.headers.authorization ?? ""), expected)) return;
    reply.header("www-authenticate", "Bearer");
    throw new HttpError(401, "the bearer token is missing or wrong");
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof z.ZodError) {
      const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join(".") || "body", message]));
      return reply.code(422).send({ error: "these fields are invalid", fields });
    }
    const { statusCode = 500 } = error;
    if (statusCode >= 500) request.log.error(error);
    return reply.code(statusCode).send({ error: statusCode >= 500 ? "internal error" : error.message });
  });

  const find = async (request: { params: unknown }): Promise<Account> => {
    const { id } = params.parse(request.params);
    const account = await customers.get(id);
    if (account === undefined) throw new HttpError(404, `there is no customer ${id}`);
    return account;
  };

  app.get("/health", async () => {
    await customers.get("health");
    return { status: "ok" };
  });

  app.put("/customers/:id", async (request, reply) => {
    const { id } = params.parse(request.params);
    const account = await customers.put(id, customer.parse(request.body, { error: describeMissing }));
    if (account === undefined) throw new HttpError(409, `customer ${id} has signed up with other values`);
    return reply
      .code(account.status === "ready" ? 200 : 202)
      .header("location", `/customers/${id}`)
      .send(account);
  });

  app.get("/customers/:id", (request) => find(request));

  // Until it is confirmed, the key can be asked for again: a response may be lost.
  app.get("/customers/:id/key", async (request, reply) => {
    const { id, status, keyConfirmed } = await find(request);
    if (status !== "ready") throw new HttpError(409, `customer ${id} is ${status}`);
    if (keyConfirmed) throw new HttpError(410, `the key of customer ${id} was handed over`);
    return reply.header("cache-control", "no-store").send({ apiKey: await provisioner.apiKey(id) });
  });

  app.delete("/customers/:id/key", async (request, reply) => {
    const { id, status } = await find(request);
    if (status !== "ready") throw new HttpError(409, `customer ${id} is ${status}`);
    await customers.confirmKey(id);
    return reply.code(204).send();
  });
}
