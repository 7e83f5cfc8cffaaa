/** The classes as programs use them, with the SDK's mocks. */
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as esign from "../../provider";
import type { RegistrationArgument } from "../../provider/core/hidden-argument";
import { SECRET } from "../../provider/core/pulumi-values";
import { redactDebugLog } from "../../provider/pulumi/redact-debug-log";
import { unknownConfigIssue } from "../../provider/session/unknown-settings";
import { inputsOf, mock, program, registered } from "./mocked";

let options: pulumi.ResourceOptions[];
beforeEach(async () => {
  options = [];
  await mock();
});

const hook = () => ({ type: "all" as const, url: "https://r.example/" });
/** Of a dynamic resource without a parent. */
const urnOf = (rest: string) =>
  `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::pulumi-nodejs:dynamic/esign:${rest}`;
const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example" };

/** Notes the options with which a resource is registered. */
const watched = (): pulumi.ResourceOptions => ({
  transformations: [
    ({ opts }) => {
      options.push(opts);
      return undefined;
    },
  ],
});

it("debug messages of the SDK lose answers that hold a secret, and stay otherwise", async () => {
  const said: string[] = [];
  const log = { debug: async (message: string) => void said.push(message) };
  redactDebugLog(log);
  await log.debug(`RegisterResource RPC finished: firm; err: null, resp: firm,${SECRET},value,hush`);
  await log.debug(`${SECRET} hush`);
  await log.debug("RegisterResource RPC finished: hook; err: null, resp: hook");
  expect(said).toEqual([
    "RegisterResource RPC finished: firm; err: null, resp: [secret]",
    ", resp: [secret]",
    "RegisterResource RPC finished: hook; err: null, resp: hook",
  ]);
});

it("an event type that looks new is a warning, which a setting ends", async () => {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
  onTestFinished(() => warn.mockRestore());
  const declare = () => program(() => void new esign.Webhook("moved", { ...hook(), type: "moved-envelope" }));
  await declare();
  const words = /^Webhook "moved": type "moved-envelope" is new to this version, .*esign:allowUnknownValues/;
  expect(warn.mock.calls.map(([message]) => message)).toEqual([expect.stringMatching(words)]);
  await mock();
  pulumi.runtime.setAllConfig({ "esign:allowUnknownValues": "true" });
  await declare();
  expect(warn.mock.calls).toHaveLength(1);
});

describe("a resource", () => {
  it("is registered with the constant provider text, and no argument of the class's own but one", async () => {
    await program(() => {
      new esign.Webhook("hook", hook());
      new esign.Branding("branding", { colour: "#fff000" });
    });
    expect(registered.map(({ type }) => type)).toContain("pulumi-nodejs:dynamic/esign:Webhook");
    // Check keeps the URN of it, by which the hooks know the resource.
    expect(inputsOf("hook")).toEqual({
      ...hook(),
      __provider: 'exports.handler = () => require("pulumi-esign/hooks").webhook;',
      __resource: { secrets: [], declared: 2, urn: urnOf("Webhook::hook") },
    });
  });

  it("tells in a dry run what the hooks cannot know: its name, what is secret, and how much is declared", async () => {
    await mock(true);
    await program(() => {
      new esign.Webhook("hook", { type: "all", url: pulumi.secret("https://r.example/") });
      new esign.Branding("branding", { colour: "#112233" });
    });
    const [hook, branding] = ["hook", "branding"].map((name) => inputsOf(name).__resource as RegistrationArgument);
    expect(hook).toEqual({ isPreview: true, secrets: ["url"], declared: 2, urn: urnOf("Webhook::hook") });
    expect(branding).toEqual({ isPreview: true, secrets: [], declared: 2, urn: urnOf("Branding::branding") });
  });

  it("has the URN that engines give it, also below a component whose name looks like a part of one", async () => {
    await program(() => {
      const parent = new pulumi.ComponentResource("shop:index:Team", "eu::main");
      new esign.Webhook("hook", hook(), { parent });
    });
    expect((inputsOf("hook").__resource as RegistrationArgument).urn).toBe(
      `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::shop:index:Team$pulumi-nodejs:dynamic/esign:Webhook::hook`,
    );
  });

  it("is refused once with configuration that is no setting, except in a project of that name", async () => {
    pulumi.runtime.setAllConfig({ "esign:expectAcount": "x", "esign:baseUrl": "y", "project:other": "z" });
    const failures: string[] = [];
    const attempt = (name: string) => {
      try {
        new esign.Webhook(name, { type: "all", url: `https://${name}.example/` });
      } catch (error) {
        failures.push((error as Error).message);
      }
    };
    await program(() => {
      attempt("a");
      attempt("b");
    });
    expect(failures).toEqual([
      expect.stringMatching(/^esign:expectAcount is not a setting, did you mean esign:expectAccount\? \(ESIGN1001\)/),
    ]);
    pulumi.runtime.setAllConfig({});
    expect(unknownConfigIssue(["esign:name", "esign:retries"], "project")).toMatch(/^esign:name is not a setting \(/);
    expect(unknownConfigIssue(["esign:name", "esign:retries"], "esign")).toBeUndefined();
    expect(unknownConfigIssue(["esign:retrys"], "esign")).toMatch(/did you mean esign:retries/);
  });

  it("warns of each path in ignoreChanges that is of no argument", async () => {
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
    await program(() => {
      const ignoreChanges = ["colour", '["logoUrl"]', "*", "color", "logo", "subject.x"];
      new esign.Branding("branding", { colour: "#112233" }, { ignoreChanges });
      new esign.Settings("settings", { emailPdfAttach: true }, { ignoreChanges: ["other.setting_x", "others[0]"] });
    });
    const warnings = warn.mock.calls.map(([message]) => message);
    warn.mockRestore();
    expect(warnings).toEqual([
      expect.stringMatching(/^Branding "branding": ignoreChanges "color" has no effect: color is not .*"colour"\?/),
      expect.stringContaining('ignoreChanges "logo" has no effect'),
      expect.stringContaining('ignoreChanges "subject.x" has no effect: subject is not an argument of Branding'),
      expect.stringMatching(/^Settings "settings": ignoreChanges "others\[0\]" has no effect: others .*"other"\?/),
    ]);
  });

  it("says what to do about the option import, which ends in an internal error of the Pulumi CLI", async () => {
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
    await program(() => void new esign.Branding("branding", { colour: "#112233" }, { import: "branding" }));
    const warnings = warn.mock.calls;
    warn.mockRestore();
    expect(warnings).toEqual([
      [expect.stringMatching(/^Branding "branding": the option import needs the plugin\. Remove it: .* adopts what/)],
    ]);
  });

  it("stores a company's id as its account", async () => {
    await program(() => {
      const company = new esign.Company("firm", firm);
      new esign.Branding("branding", { account: company, colour: "#fff000" });
      new esign.Branding("other", { account: "12", colour: "#fff000" });
    });
    expect(inputsOf("branding").account).toBe("firm-id");
    expect(inputsOf("other").account).toBe("12");
  });

  it("keeps an account that turns out to be empty, for the check: it is not meant for the account of the key", async () => {
    await program(() => {
      for (const [name, id] of Object.entries({ none: undefined, twelve: "12" }))
        new esign.Webhook(name, { ...hook(), account: pulumi.output(id) as never });
    });
    expect(inputsOf("none").account).toBe("");
    expect(inputsOf("twelve").account).toBe("12");
  });
});

describe("protection", () => {
  it("is the engine's, too, unless it is switched off; only then is what is in a company forgotten with it", async () => {
    await program(() => {
      const safe = new esign.Company("safe", firm, watched());
      const loose = new esign.Company("loose", { ...firm, name: "Loose", deletionProtection: false }, watched());
      new esign.Webhook("in-safe", { account: safe, ...hook() }, watched());
      new esign.Webhook("in-loose", { account: loose, ...hook() }, watched());
      new esign.Branding("branding", { account: safe, colour: "#fff000" }, watched());
    });
    const [safe, loose, inSafe, inLoose, branding] = options as pulumi.CustomResourceOptions[];
    expect(safe).toMatchObject({ protect: true, additionalSecretOutputs: ["__esign", "apiKey"] });
    // The protection of a parent is inherited only where nothing is said.
    expect(loose!.protect).toBeUndefined();
    expect(inSafe!.deletedWith).toBeUndefined();
    expect(inLoose!.deletedWith).toBeInstanceOf(esign.Company);
    expect(branding!.deleteBeforeReplace).toBe(true);
    // Otherwise its replacement would adopt it, without the secret that only a new one has.
    expect(inSafe!.deleteBeforeReplace).toBe(true);
    // A company's content is not deleted for the sake of a new key.
    expect(loose!.deleteBeforeReplace).toBeUndefined();
  });
});

describe("two resources that are the same object", () => {
  const cases: [string, () => void][] = [
    ["branding", () => ["a", "b"].map((name) => new esign.Branding(name, { colour: "#fff000" }))],
    ["an email", () => ["a", "b"].map((name) => new esign.BrandingEmail(name, { type: "email-send", subject: "x" }))],
    ["a webhook", () => ["a", "b"].map((name) => new esign.Webhook(name, hook()))],
    ["a company", () => ["a", "b"].map((name) => new esign.Company(name, firm))],
    [
      "in one subaccount",
      () => {
        const account = new esign.Company("firm", firm);
        for (const name of ["a", "b"]) new esign.Branding(name, { account, colour: "#fff000" });
      },
    ],
    [
      "in one subaccount, once by its company and once by that one's id",
      () => {
        const firm12 = new esign.Company("firm", firm);
        new esign.Branding("a", { account: firm12, colour: "#fff000" });
        new esign.Branding("b", { account: firm12.id, colour: "#fff000" });
      },
    ],
  ];
  it.each(cases)("are refused at once: %s", async (_, body) => {
    await program(() => {
      expect(body).toThrow(/"a" and "b" declare the same object/);
    });
  });

  it("are allowed when they are asked for, or lie in different accounts", async () => {
    await program(() => {
      for (const name of ["a", "b"]) {
        new esign.Webhook(name, { ...hook(), onExisting: "create" });
        const provider = new esign.Provider(`provider-${name}`, { apiKey: name, baseUrl: "https://s.example" });
        new esign.Branding(name, { colour: "#fff000" }, { provider });
        new esign.Branding(`sub-${name}`, { colour: "#fff000", account: name });
        const parent = new pulumi.ComponentResource("x:y:Z", name, {}, { providers: [provider] });
        new esign.BrandingEmail(name, { type: "email-send", subject: "x" }, { parent });
      }
    });
    expect(registered.filter(({ type }) => type.includes("esign:"))).toHaveLength(8);
  });
});

describe("wrong use", () => {
  it.each([
    [
      "account of another type",
      () =>
        new esign.Webhook("w", {
          type: "all",
          url: "https://r.example/",
          account: new esign.Branding("b", { colour: "#fff" }) as never,
        }),
      /account must be a Company/,
    ],
    [
      "protection as an output",
      () => new esign.Company("c", { ...firm, deletionProtection: pulumi.output(true) as never }),
      /deletionProtection must be true or false/,
    ],
    ["no name", () => new esign.Webhook("", hook()), /^Webhook: the name is missing: write new Webhook\("name", …\)/],
    [
      "arguments for a name",
      () => new esign.Webhook(hook() as never, undefined as never),
      /^Webhook: the name is missing/,
    ],
    ["a provider without a name", () => new esign.Provider("", {} as never), /^Provider: the name is missing/],
    ["a component without a name", () => new esign.AccountConfig("", { folder: "." }), /^AccountConfig: the name is/],
    ["no arguments", () => new esign.Webhook("w", undefined as never), /arguments are missing/],
    [
      "no id of one to read",
      () => esign.Webhook.get("w", undefined as never),
      /"w": the id of the object to read is missing/,
    ],
    ["an empty id", () => esign.Company.get("c", ""), /"c": the id of the object to read is missing/],
    ["no settings", () => new esign.Provider("p", undefined as never), /Provider "p": arguments are missing/],
    ["a key that is not there", () => new esign.Provider("p", { apiKey: undefined } as never), /apiKey is missing/],
    [
      "an unknown setting",
      () => new esign.Provider("p", { apiKey: "k", url: "x" } as never),
      /: url is not a setting \(settings: apiKey, /,
    ],
    [
      "a misspelt setting",
      () => new esign.Provider("p", { apiKey: "k", requestPerSecond: 5 } as never),
      /: requestPerSecond is not a setting, did you mean requestsPerSecond\?/,
    ],
  ])("is reported: %s", async (_, body, words) => {
    await program(() => {
      expect(body).toThrow(words);
      // The Pulumi SDK formats stacks, which takes Node 20.20 half a minute where a frame is in node_modules/@pulumi.
      expect(body).toThrow(expect.objectContaining({ stack: expect.not.stringContaining("\n    at ") }));
    });
  });
});

describe("a provider", () => {
  it("passes its settings as texts, the key as a secret", async () => {
    let provider!: esign.Provider;
    await program(() => {
      provider = new esign.Provider("account", {
        apiKey: "the-key",
        baseUrl: "https://s.example",
        maxConcurrency: 4,
        expectAccount: ["a", "b"],
        allowUnknownValues: true,
      });
    });
    expect(provider).toBeInstanceOf(pulumi.ProviderResource);
    expect(JSON.stringify(inputsOf("account"))).toContain("the-key");
    expect(inputsOf("account")).toMatchObject({
      "esign:baseUrl": "https://s.example",
      "esign:maxConcurrency": "4",
      "esign:expectAccount": "a,b",
      "esign:allowUnknownValues": "true",
    });
  });

  it.each([undefined, ""])("takes from the stack what the program leaves open, as %j, too", async (baseUrl) => {
    pulumi.runtime.setAllConfig({ "esign:baseUrl": "https://stack.example", "esign:apiKey": "stack-key" });
    await program(() => void new esign.Provider("account", { apiKey: "the-key", baseUrl } as esign.ProviderArgs));
    expect(inputsOf("account")).toMatchObject({ "esign:baseUrl": "https://stack.example" });
    expect(JSON.stringify(inputsOf("account"))).not.toContain("stack-key");
  });
});
