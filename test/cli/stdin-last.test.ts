/** What is wrong with a command line is said before stdin is read: whoever waits for a pipe, or types, would not learn it. */
import { describe, expect, it } from "vitest";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
save(home, { "Pulumi.yaml": "name: shop\nruntime: nodejs\nbackend: { url: 'file://.' }\n" });
const env = { PULUMI_CONFIG_PASSPHRASE: "p" };

describe("with nothing in stdin, which would be wrong as well,", () => {
  it.each([
    [["emulator", "trigger", "signed", "--to", "http://127.0.0.1:9/", "--secret-file", "-"], 'no event "signed"'],
    [["emulator", "trigger", "all", "--to", "http://r.example/", "--secret-file", "-"], "must be on this machine"],
    [["stack", "import", "--stack", "none"], "no stack named 'none'", 6],
    [["stack", "import", "--forse"], "unknown option '--forse'"],
    [["config", "set", "--stack", "none", "colour"], "no stack named 'none'", 6],
    [["settings", "update", "--set", "wrong", "--email-pdf-attach", "@-"], "--set needs <name>=<value>"],
    [["branding", "update-email", "email-send", "--stack", "none", "--content", "@-"], "no stack named 'none'", 6],
    [["branding", "update-email", "email-sent", "--content", "@-"], "no account configured"],
    [["branding", "update-email", "", "--content", "@-"], "<type> must be one of"],
  ])("%j is refused for what it says itself", async (args, words, expected = 2) => {
    const { code, stderr } = await esign(args, { home, env });
    expect([code, stderr]).toEqual([expected, expect.stringContaining(words)]);
  });
});
