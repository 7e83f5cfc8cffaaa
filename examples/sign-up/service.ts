/** Starts the sign-up service with the settings of the environment. */
import fastify from "fastify";
import { Pool } from "pg";
import { z } from "zod";
import { addRoutes } from "./api";
import { Customers, describeMissing } from "./customers";
import { Provisioner } from "./provisioner";

const environment = z.object({
  ESIGN_BASE_URL: z.url(),
  ESIGN_API_KEY: z.string().min(1),
  PULUMI_CONFIG_PASSPHRASE: z.string().min(1),
  SIGN_UP_TOKEN: z.string().min(16),
  DATABASE_URL: z.url().default("postgres://postgres@127.0.0.1:5432/postgres"),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).default(10),
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().default(8080),
  CONCURRENCY: z.coerce.number().int().min(1).default(4),
  ATTEMPT_SECONDS: z.coerce.number().int().min(10).default(300),
  RETRY_SECONDS: z.coerce.number().int().min(1).default(5),
});

async function main(): Promise<void> {
  const { success, error, data: settings } = environment.safeParse(process.env, { error: describeMissing });
  if (!success) throw new Error(error.issues.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  // Who has lost a response asks again; a connection that no request comes from would keep a stopping service alive.
  const app = fastify({ logger: true, forceCloseConnections: true });
  const pool = new Pool({ connectionString: settings.DATABASE_URL, max: settings.DATABASE_CONNECTIONS });
  // Of connections that are not in use: the next query takes another.
  pool.on("error", (error) => app.log.warn(error));
  const provisioner = await Provisioner.open();
  const customers = new Customers(pool, provisioner, {
    concurrency: settings.CONCURRENCY,
    timeout: settings.ATTEMPT_SECONDS,
    retryDelay: settings.RETRY_SECONDS,
    log: app.log,
  });
  addRoutes(app, customers, provisioner, settings.SIGN_UP_TOKEN);
  await customers.start();

  let isStopping = false;
  const stop = async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    app.log.info("stopping when the attempts in progress have ended; a second signal stops at once");
    await app.close();
    await customers.stop();
    await pool.end();
    process.exit();
  };
  // Not once: the library that starts the engine ends the process when a signal has no other listener.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stop());
  await app.listen({ host: settings.HOST, port: settings.PORT });
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
