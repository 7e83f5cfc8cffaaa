// Finds a Chromium for the tests of pages, and prints its path. Without one, on a Debian (or Ubuntu)
// machine with root rights, as in CI, it is installed from the system's packages. ESIGN_CHROMIUM names one outright.
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const runnable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a Chromium on this machine, if there is one. */
function findChromium() {
  const { ESIGN_CHROMIUM: named, PATH = "" } = process.env;
  if (named !== undefined) {
    if (runnable(named)) return named;
    throw new Error(`ESIGN_CHROMIUM names ${named}, which cannot be run.`);
  }
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere].find(runnable);
}

/** The path of a Chromium, installed first where that is possible. */
export function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new Error(
      "There is no Chromium. Install it (Debian: apt-get install chromium), or name one in ESIGN_CHROMIUM.",
    );
  }
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  // Two test files may ask at once; the second finds it installed.
  const install = "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium";
  execFileSync("flock", [join(tmpdir(), "esign-chromium.lock"), "sh", "-c", install], options);
  const installed = findChromium();
  if (installed === undefined) throw new Error("Chromium was installed, but is not on PATH.");
  return installed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(ensureChromium());
