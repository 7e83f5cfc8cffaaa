/** Who has signed up, in Postgres: a table of customers, and the queue of those who wait for their account. */
import type { Pool, PoolClient } from "pg";
import PgBoss from "pg-boss";
import { z } from "zod";
import type { Provisioner } from "./provisioner";

/** An ID is the name of a stack, too. */
export const customerId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "lower-case letters, digits and hyphens");

export const customer = z.strictObject({
  name: z.string().trim().min(1).max(100),
  owner: z.strictObject({ name: z.string().trim().min(1).max(100), email: z.email() }),
  colour: z.string().regex(/^#[0-9a-f]{6}$/i, "a colour such as #0B7285"),
  /** Base URL of the customer's webhooks. */
  hooks: z.url({ protocol: /^https$/, error: "an https URL" }),
});
export type Customer = z.infer<typeof customer>;

/** For what zod calls an undefined string. */
export const describeMissing = ({ input }: { input?: unknown }) => (input === undefined ? "is missing" : undefined);

/** What is known of a customer's account. */
export interface Account {
  id: string;
  status: "pending" | "ready" | "failed";
  companyId: string | null;
  /** Of the last attempt. */
  error: string | null;
  /** Whether someone has confirmed to have the key. */
  keyConfirmed: boolean;
}

interface Options {
  /** Customers at once. */
  concurrency: number;
  /** Seconds for one attempt. */
  timeout: number;
  /** Seconds before the first of the retries, which come less and less often. */
  retryDelay: number;
  log: { info(about: object, text: string): void; error(about: object, text: string): void };
}

const table = `create table if not exists customers (
  id text primary key, wanted jsonb not null, status text not null default 'pending',
  company_id text, error text, key_confirmed timestamptz)`;
const columns = `id, status, company_id as "companyId", error, key_confirmed is not null as "keyConfirmed"`;

const provision = "provision";
const givenUp = "given-up";

export class Customers {
  readonly #boss: PgBoss;
  readonly #pool: Pool;
  readonly #provisioner: Provisioner;
  readonly #options: Options;

  constructor(pool: Pool, provisioner: Provisioner, options: Options) {
    this.#pool = pool;
    this.#provisioner = provisioner;
    this.#options = options;
    const db = { executeSql: (text: string, values: unknown[]) => pool.query(text, values) };
    this.#boss = new PgBoss({ db, schedule: false, maintenanceIntervalSeconds: 10 });
    this.#boss.on("error", (error) => options.log.error({ err: error }, "queue"));
  }

  async start(): Promise<void> {
    const boss = this.#boss;
    const options = this.#options;
    await boss.start();
    await this.#pool.query(table);
    for (const name of [givenUp, provision]) await boss.createQueue(name);
    const settings = { pollingIntervalSeconds: 0.5, includeMetadata: true } as const;
    for (let i = 0; i < options.concurrency; i++)
      await boss.work<{ id: string }>(provision, settings, async ([job]) => job && this.#provision(job));
    await boss.work<{ id: string }>(givenUp, async ([job]) => {
      await this.#pool.query("update customers set status = 'failed' where id = $1", [job?.data.id]);
    });
  }

  /** Waits for the attempts in progress; what is not finished then begins again elsewhere. */
  async stop(): Promise<void> {
    await this.#boss.stop({ timeout: 60_000 });
  }

  /** @returns undefined if the customer has signed up with other values */
  put(id: string, wanted: Customer): Promise<Account | undefined> {
    // Together with the job: neither is there without the other.
    return this.#transaction(async (client) => {
      const { rowCount } = await client.query(
        `insert into customers as known (id, wanted) values ($1, $2)
         on conflict (id) do update set wanted = $2, status = 'pending', error = null where known.status = 'failed'`,
        [id, wanted],
      );
      if (rowCount === 1) await this.#enqueue(id, client);
      const { rows } = await client.query(`select ${columns} from customers where id = $1 and wanted = $2`, [
        id,
        wanted,
      ]);
      return rows[0];
    });
  }

  async get(id: string): Promise<Account | undefined> {
    const { rows } = await this.#pool.query(`select ${columns} from customers where id = $1`, [id]);
    return rows[0];
  }

  async confirmKey(id: string): Promise<void> {
    await this.#pool.query("update customers set key_confirmed = coalesce(key_confirmed, now()) where id = $1", [id]);
  }

  async #enqueue(id: string, client: PoolClient): Promise<void> {
    const { timeout, retryDelay } = this.#options;
    await this.#boss.send(
      provision,
      { id },
      {
        db: { executeSql: (text, values) => client.query(text, values) },
        // A job whose service was killed begins again when this has passed.
        expireInSeconds: timeout + 30,
        retryLimit: 12,
        retryDelay,
        retryBackoff: true,
        deadLetter: givenUp,
      },
    );
  }

  async #provision({ data: { id }, retryCount }: PgBoss.JobWithMetadata<{ id: string }>): Promise<void> {
    const pool = this.#pool;
    const provisioner = this.#provisioner;
    const options = this.#options;
    options.log.info({ customer: id, attempt: retryCount + 1 }, "provisioning");
    const { rows } = await pool.query("select wanted from customers where id = $1", [id]);
    const attempt = { signal: AbortSignal.timeout(options.timeout * 1000), isRetry: retryCount > 0 };
    try {
      const companyId = await provisioner.up(id, rows[0].wanted, attempt);
      await pool.query("update customers set status = 'ready', company_id = $2, error = null where id = $1", [
        id,
        companyId,
      ]);
      options.log.info({ customer: id, companyId }, "provisioned");
    } catch (error) {
      options.log.error({ customer: id, err: error }, "not provisioned");
      await pool.query("update customers set error = $2 where id = $1", [id, (error as Error).message]);
      throw error;
    }
  }

  async #transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      await client.query("begin");
      const result = await work(client);
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }
}
