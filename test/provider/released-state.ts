/** What a version has left of stacks that it deployed: test/fixtures/state-<version>, and the service that they were deployed to. */
import { once } from "node:events";
import { cpSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { linkPackages, root } from "../cli/esign";
import { temporaryFolder } from "../files";

export const fixtures = join(root, "test/fixtures");

export type Data = ReturnType<Emulator["data"]>;

export const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

/** Options of each command. */
export const stackOptions = ["--yes", "--stack", "dev", "--engine", "embedded"];

/** A service, and a project that is deployed to it. */
export class Scene {
  readonly #proxy: http.Server;

  private constructor(
    /** The stack's folder in the fixture. */
    readonly fixture: string,
    readonly folder: string,
    readonly service: Emulator,
  ) {
    // The states name https://sign.invalid. This proxy is the way there, whatever port the service has.
    this.#proxy = http.createServer().on("connect", (_, socket, head) => {
      const upstream = net.connect(service.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [socket, upstream]) end.on("error", () => undefined);
    });
  }

  /** `data`: the file with what the service has at first. */
  static async open(name: string, data: "before.json" | "service.json" = "service.json"): Promise<Scene> {
    const folder = temporaryFolder();
    const fixture = join(fixtures, name);
    const file = join(folder, "service.json");
    cpSync(join(fixture, data), file);
    // All states are written with a service that trims texts.
    const scene = new Scene(
      fixture,
      folder,
      await start({ file, port: 0, tls: true, textStyle: "trimmed", allowHosts: ["sign.invalid"] }),
    );
    scene.#proxy.listen(0, "127.0.0.1");
    await once(scene.#proxy, "listening");
    return scene;
  }

  async close(): Promise<void> {
    this.#proxy.close();
    await this.service.close();
  }

  /** What the service had before anything was deployed. */
  get before(): Data {
    return readJson(join(this.fixture, "before.json"));
  }

  /** The project, with its state and journal unless it `isNew`. */
  copyProject({ isNew = false } = {}): string {
    const project = join(this.folder, "shop");
    cpSync(join(this.fixture, "shop"), project, { recursive: true });
    if (isNew) for (const left of [".pulumi", ".esign"]) rmSync(join(project, left), { recursive: true, force: true });
    linkPackages(project);
    return project;
  }

  /** How a command reaches the service, and opens what the states and the journal hold. */
  get environment(): Record<string, string> {
    const address = `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}`;
    return {
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
      ESIGN_MACHINE_KEY: "The machine on which the states were written.",
      HTTPS_PROXY: address,
      https_proxy: address,
      NO_PROXY: "",
      no_proxy: "",
      // The certificate is for this machine's own names.
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
  }
}
