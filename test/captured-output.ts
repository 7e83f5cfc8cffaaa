/**
 * What tested code writes to the terminal goes the way of `console`, which the test runner shows with the test that fails, and only
 * then. Each file of tests runs this, several in one process.
 */
const captured = Symbol.for("esign.tests.captured");

for (const stream of [process.stdout, process.stderr] as (NodeJS.WriteStream & { [captured]?: true })[]) {
  if (stream[captured]) continue;
  stream[captured] = true;
  stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    console[stream === process.stdout ? "log" : "error"](
      Buffer.from(text as string)
        .toString()
        .replace(/\n$/, ""),
    );
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  };
}
