// A Postgres in memory, as a process of its own that no test has to close. Prints its URL.
import { PGlite } from "@electric-sql/pglite";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

// Without the files of a package, six seconds are needed to make them.
const db = await PGlite.create({ loadDataDir: await dataDir() });
const server = new PGLiteSocketServer({ db, port: 0, host: "127.0.0.1", maxConnections: 50 });
await server.start();
console.log(`postgres://postgres@${server.getServerConn()}/postgres`);
