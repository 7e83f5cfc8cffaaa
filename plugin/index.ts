/** The process that an engine starts: it prints the port on which it listens, and ends with its engine. */
import { parseEngineAddress, watchEngine } from "../provider/session/exit-with-engine";
import { startServer } from "./server";

const [, , address] = process.argv;
const engine = parseEngineAddress(address);

startServer({ engine: engine && address }).then(
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: Error) => {
    process.stderr.write(`pulumi-resource-esign: ${error.message}\n`);
    process.exitCode = 1;
  },
);
if (engine !== undefined) watchEngine(engine, () => process.exit(1));
