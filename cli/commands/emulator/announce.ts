/** What `esign emulator` prints. */
import type { Emulator, LogEntry } from "../../../emulator/index.js";
import { colours, print } from "../../output/terminal";

interface AnnounceOptions {
  json?: boolean;
  showKeys?: boolean;
  tls?: boolean;
  controlToken?: string;
}

/** What the command prints at the start: where the emulator is, and how to use it. */
export function announce(service: Emulator, options: AnnounceOptions): void {
  const { url, keys, file, certificate, controlToken } = service;
  const showKeys = options.showKeys || (process.stdout.isTTY === true && !options.json);
  if (options.json) {
    // One that the user has set is a secret of his.
    const token = options.controlToken === undefined ? controlToken : undefined;
    const about = { url, pid: process.pid, file: file ?? null, controlToken: token, certificate };
    print(JSON.stringify({ event: "listening", ...about, ...(showKeys ? { keys } : {}) }));
    return;
  }
  print(`${colours.bold("Local emulator")} at ${colours.cyan(url)} (a status page; press Ctrl-C to stop)`);
  if (controlToken !== undefined) {
    if (options.controlToken === undefined) {
      print(`Other machines can connect. Status page: ${url}/?token=${controlToken}`);
      print(colours.dim(`Control endpoints need the header "Authorization: Bearer ${controlToken}".`));
    } else
      print(`Status page: ${url}/?token=<the control token>. Control endpoints need it as "Authorization: Bearer …".`);
  }
  print(file === undefined ? "Data: in memory." : `Data: ${file}`);
  if (showKeys) {
    print(`\n  export ESIGN_BASE_URL=${url}`);
    print(`  export ESIGN_API_KEY=${keys.partner}   ${colours.dim("# partner key")}`);
    print(colours.dim(`  # ordinary account: ${keys.account}`));
    print(colours.dim(`  # test key, changes nothing: ${keys.test}`));
  } else {
    print(`API keys: use --show-keys, or GET ${url}/_control/keys${file === undefined ? "" : ", or see the file"}.`);
  }
  if (certificate !== undefined && options.tls) print(`\nClients must trust this certificate:\n${certificate.trim()}`);
}

/** A line for a request. */
export function printEntry(entry: LogEntry, json: boolean): void {
  if (json) {
    print(JSON.stringify({ event: "request", ...entry }));
    return;
  }
  const { method, path, status, code, fault, elapsed, key } = entry;
  const shown = status === 0 ? "dropped" : String(status);
  const paint = status === 0 || status >= 500 ? colours.red : status >= 400 ? colours.yellow : colours.green;
  const notes = [
    code === undefined ? "" : String(code),
    fault ?? "",
    `${elapsed} ms`,
    key === undefined ? "no key" : `key ${key}`,
  ];
  print(`${paint(shown)} ${method} ${path} ${colours.dim(notes.filter(Boolean).join(" · "))}`);
}
