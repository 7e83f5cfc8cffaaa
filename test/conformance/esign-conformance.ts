/** The command `esign-conformance` in the test's own process. */
import { run } from "../../conformance/run";
import { type Options, runInProcess } from "../cli/in-process";

export const esignConformance = (args: string[], options: Options) => runInProcess(async () => run, args, options);
