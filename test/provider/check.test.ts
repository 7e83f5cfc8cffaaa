/** Checks and plans: offline, all faults at once, never a value, never a stumble. */
import { describe, expect, it } from "vitest";
import { providerText } from "../../provider/core/provider-text";
import { type Properties, secret, UNKNOWN } from "../../provider/core/pulumi-values";
import { createHandlers } from "../../provider/hooks";
import { checkArguments } from "../../provider/lifecycle/check";
import { definitions, type HandlerName } from "../../provider/resources/index";
import { Session } from "../../provider/session/session";
import { cases, fc } from "../chance";

/** Settings with which nothing is sent. */
const offline = { ESIGN_API_KEY: "key", ESIGN_BASE_URL: "https://api.example.com", ESIGN_OFFLINE: "1" };
const session = new Session({ environment: offline, log: () => {} });
const handlers = createHandlers(session);
const names = Object.keys(definitions) as HandlerName[];

const good: Record<HandlerName, Properties> = {
  branding: { colour: "#558caa" },
  brandingEmail: { type: "email-send", subject: "Sign {contract title}" },
  webhook: { type: "all", url: "https://r.example/" },
  company: { name: "N", userName: "U", userEmail: "u@n.example" },
  contact: { name: "C", email: "c@n.example" },
  user: { name: "P", email: "p@n.example", role: "user" },
  settings: { emailPdfAttach: false, signatureFormatAccepted: ["typed"], other: { setting_new: 7 } },
};

/** An ID that an object of a kind may have, inside a company if it can be. */
const idOf = (handler: HandlerName, company = ""): string =>
  handler === "company" ? "34" : company + (["branding", "settings"].includes(handler) ? handler : "34");

const reasons = async (handler: HandlerName, news: Properties, olds: Properties = {}) =>
  (await handlers[handler].check(olds, news)).failures.map(({ property, reason }) => {
    expect(property).toBe("");
    return reason;
  });

describe("bad input", () => {
  const SECRET = "hush-hush";
  const table: [HandlerName, Properties, RegExp[]][] = [
    ["webhook", { url: undefined }, [/url is missing/]],
    [
      "webhook",
      { type: "signed-envelop" },
      [/type is not known, did you mean "signed-envelope"\? One of: .* \(esign:allowUnknownValues accepts others\)/],
    ],
    ["webhook", { type: 7 }, [/type must be one of/]],
    ["webhook", { url: `ftp://${SECRET}.example` }, [/url must be an absolute URL/]],
    ["webhook", { url: `https:// ${SECRET}` }, [/url must be an absolute URL/]],
    ["webhook", { account: "acme" }, [/account must be a positive integer/]],
    ["webhook", { account: 2 ** 60 }, [/account must be a string: a number cannot hold that many digits/]],
    ["webhook", { account: "" }, [/account is empty; omit it/]],
    ["webhook", { account: null }, [/account is empty; omit it/]],
    [
      "webhook",
      { onExisting: "adpt" },
      [/onExisting is not known, did you mean "adopt"\? One of: adopt, fail, create$/],
    ],
    ["webhook", { uri: SECRET }, [/uri is not an argument of Webhook, did you mean "url"/]],
    ["webhook", { type: "x", url: SECRET }, [/type/, /url/]],
    ["branding", { colour: undefined }, [/at least one/]],
    ["branding", { colour: SECRET }, [/colour must be a hex colour of the form #RRGGBB/]],
    ["branding", { colour: "558caa" }, [/colour/]],
    ["branding", { logoUrl: `https://x.example/${SECRET}.gif` }, [/logoUrl must be a JPG or PNG/]],
    ["branding", { logoUrl: `https://x.example/${SECRET}.SVG?as=.png` }, [/logoUrl must be a JPG or PNG/]],
    ["branding", { logoUrl: `https://x.example/${SECRET}.mp4` }, [/logoUrl must be a JPG or PNG/]],
    ["branding", { logoUrl: `https://x.example/${SECRET}.xlsx` }, [/logoUrl must be a JPG or PNG/]],
    ["branding", { logoUrl: "https://logos.example/acme.com?size=200" }, []],
    ["branding", { logoUrl: "https://x.example/logo.php" }, []],
    ["branding", { logoUrl: SECRET }, [/logoUrl must be an absolute URL/]],
    ["branding", { onDelete: "restor" }, [/did you mean "restore"/]],
    ["brandingEmail", { subject: undefined }, [/set at least one of the three/]],
    ["brandingEmail", { type: "email-sent" }, [/did you mean "email-send"/]],
    ["brandingEmail", { content: " " }, [/content must not be empty/]],
    ["brandingEmail", { subject: `${SECRET}\nmore` }, [/subject must be one line/]],
    ["brandingEmail", { subject: "Hi {contract titel}" }, [/subject line 1, column 4: .*`\{contract title\}`/]],
    ["brandingEmail", { content: "<p>\r\n  {contract_url}</p>" }, [/content line 2, column 3: .*`\{contract url\}`/]],
    ["brandingEmail", { content: "<p>{contract&nbsp;url}</p>" }, [/`\{contract url\}`/]],
    ["brandingEmail", { content: '<a href="{contrat url}">x</a>' }, [/content line 1, column 10/]],
    ["brandingEmail", { content: "<p>{contract <b>url</b>}</p>" }, [/column 4: a variable contains a tag.*url\}`/]],
    ["brandingEmail", { contentPlain: "Sign: {contract\nurl}" }, [/contentPlain line 1, column 7: .* a line break/]],
    ["brandingEmail", { content: "<div>".repeat(600) }, [/content cannot be read: .*nested more than 500 levels/]],
    // What the service may know.
    ["brandingEmail", { content: "{first name} {party message} {contract url}", contentPlain: "{contract id}" }, []],
    ["brandingEmail", { content: "{contrct url}", contentPlain: "{usr name}" }, [/content /, /contentPlain /]],
    ["company", { name: "" }, [/name must not be empty/]],
    ["company", { userEmail: SECRET }, [/userEmail must be an email address/]],
    ["company", { email: "a@b@c" }, [/email must be an email address/]],
    ["company", { deletionProtection: "no" }, [/deletionProtection must be true or false/]],
  ];
  it.each(table)("%s %j", async (handler, change, expected) => {
    const said = await reasons(handler, JSON.parse(JSON.stringify({ ...good[handler], ...change })));
    expect(said).toHaveLength(expected.length);
    for (const [i, pattern] of expected.entries()) expect(said[i]).toMatch(pattern);
    expect(said.join()).not.toContain(SECRET);
  });

  it("does not take the brackets of CSS for variables", async () => {
    const content =
      "<style>p { color: red } a {b c}</style><p style='x'>{contract url} {1} { } {a: b}</p><!-- {old name} -->";
    expect(await reasons("brandingEmail", { type: "email-send", content })).toEqual([]);
  });

  it("lets event types through that look new, and no misspelt one", async () => {
    const url = "https://r.example/";
    for (const type of ["moved-envelope", "qes-cancelled", "add-folder"]) {
      expect(await reasons("webhook", { type, url })).toEqual([]);
    }
    for (const type of ["signed-envelop", "sent-envelope", "add_user", "Add-User", "moved", "moved envelope", "a--b"]) {
      expect(await reasons("webhook", { type, url })).toEqual([
        expect.stringMatching(/type (must be one of|is not known, .* One of:) send-/),
      ]);
    }
  });

  it.each([
    [
      { type: "email-send", content: "<p>x</p>" },
      [/content line 1: \{contract url\} is missing, .*; add it \(esign:allowUnkn/],
    ],
    [{ type: "email-reminder", contentPlain: "x", content: "{contract url}" }, [/contentPlain line 1: .*missing/]],
    [{ type: "email-send-password", content: "{contract url}" }, []],
    [{ type: "email-signed", content: "<p>x</p>" }, []],
    [{ type: "email-cancelled", content: "<p>x</p>" }, []],
    [{ type: "email-widget-verify", contentPlain: "x" }, []],
  ])("of a text without the required variable in the current edition: %j", async (args, expected) => {
    const reasonsIn = async (more: Record<string, string>) => {
      const { brandingEmail } = createHandlers(new Session({ environment: { ...offline, ...more } }));
      return (await brandingEmail.check({}, args)).failures.map(({ reason }) => reason);
    };
    expect(await reasonsIn({ ESIGN_EDITION: "current" })).toEqual(expected.map((each) => expect.stringMatching(each)));
    for (const more of [{}, { ESIGN_EDITION: "current", ESIGN_ALLOW_UNKNOWN_VALUES: "true" }] as Record<
      string,
      string
    >[])
      expect(await reasonsIn(more)).toEqual([]);
  });

  it("lets values through that a later service may know, when asked to", async () => {
    const open = createHandlers(new Session({ environment: { ...offline, ESIGN_ALLOW_UNKNOWN_VALUES: "true" } }));
    const { failures } = await open.webhook.check({}, { type: "bounced-envelope", url: "https://r.example/" });
    expect(failures).toEqual([]);
  });

  it.each<[HandlerName, Properties, RegExp]>([
    ["webhook", { onExisting: "Create" }, /onExisting is not known, did you mean "create"\? One of: adopt/],
    ["brandingEmail", { onDelete: "Keep" }, /onDelete is not known, did you mean "keep"\? One of: restore/],
    ["webhook", { type: "" }, /type must be one of send-envelope/],
  ])("lets no word through that no service can make known: %s %j", async (handler, change, words) => {
    const open = createHandlers(new Session({ environment: { ...offline, ESIGN_ALLOW_UNKNOWN_VALUES: "true" } }));
    const { failures } = await open[handler].check({}, { ...good[handler], ...change });
    expect(failures.map(({ reason }) => reason)).toEqual([expect.stringMatching(words)]);
  });

  it.each<[HandlerName, Properties]>([
    ["brandingEmail", { type: "email-send", subject: "Dear {clint name}" }],
    ["brandingEmail", { type: "email-send", contentPlain: "" }],
    ["webhook", { type: "returned", url: "https://r.example/" }],
    ["webhook", { type: "all", url: "" }],
    ["branding", { onDelete: "keep" }],
  ])("leaves to the service what a refresh has found and the program ignores: %s %j", async (handler, found) => {
    expect(await reasons(handler, found, found)).toEqual([]);
    expect(await reasons(handler, found)).toHaveLength(1);
    expect(await reasons(handler, found, good[handler])).toHaveLength(1);
  });

  it("refuses another user of a company, and names the remedy", async () => {
    const olds = { ...good.company, deletionProtection: false };
    const news = { ...olds, userEmail: "v@n.example" };
    expect(await reasons("company", news, olds)).toEqual([
      expect.stringMatching(/userEmail is fixed at creation.*--replace/),
    ]);
    expect(await reasons("company", { ...news, onExisting: "create" }, olds)).toEqual([]);
    expect((await handlers.company.diff("1", olds, { ...news, onExisting: "create" })).replaces).toEqual(["userEmail"]);
  });

  it("takes a company's first user that is not known yet for the same one, unless another one may replace it", async () => {
    const olds = { ...good.company, deletionProtection: false };
    const replaces = async (news: Properties) => (await handlers.company.diff("1", olds, news)).replaces;
    expect(await replaces({ ...olds, userEmail: UNKNOWN })).toEqual([]);
    expect(await replaces({ ...olds, userEmail: UNKNOWN, onExisting: "create" })).toEqual(["userEmail"]);
  });

  it("accepts good input, and says once for each resource what setting is missing", async () => {
    for (const name of names) expect(await reasons(name, good[name])).toEqual([]);
    const { webhook } = createHandlers(new Session({ environment: {} }));
    for (const olds of [{}, good.webhook]) {
      const { failures } = await webhook.check(olds, good.webhook);
      expect(failures.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/^settings: esign:apiKey is not set: .*; esign:baseUrl is not set: .*ESIGN_BASE_URL$/),
      ]);
    }
  });

  it.each<[object, RegExp | undefined]>([
    [
      { ESIGN_BASE_URL: "http://hush.example", ESIGN_RETRIES: "many", ESIGN_TIMEOUT: "0" },
      /esign:baseUrl must begin with https.*esign:timeout.*esign:retries must be a number/,
    ],
    [{ ESIGN_BASE_URL: "https://api.example.com/v1" }, /esign:baseUrl must not contain \/v1/],
    [{ ESIGN_BASE_URL: "https://hush@api.example.com" }, /esign:baseUrl must not contain a user name/],
    [{ ESIGN_API_KEY: "hush\n" }, /esign:apiKey must not contain a space/],
    [{ ESIGN_EXPECT_ACOUNT: "x" }, /ESIGN_EXPECT_ACOUNT is not a setting, did you mean ESIGN_EXPECT_ACCOUNT/],
    [{ ESIGN_APIKEY: "hush" }, /ESIGN_APIKEY is not a setting, did you mean ESIGN_API_KEY/],
    [{ ESIGN_EXPECT_ACCOUNTS: "x" }, /ESIGN_EXPECT_ACCOUNTS is not a setting, did you mean ESIGN_EXPECT_ACCOUNT/],
    [{ ESIGN_EXPECT_ACCOUNT: "" }, /esign:expectAccount is empty/],
    [{ ESIGN_EXPECT_ACCOUNT: " , " }, /esign:expectAccount is empty/],
    [{ ESIGN_EXPECT_ACCOUNT: "[]" }, /esign:expectAccount is empty/],
    [{ ESIGN_API_KEY_STAGING: "hush", ESIGN_X_API_KEY: "hush", ESIGN_DEBUG: "1", ESIGN_TIMEOUT: "" }, undefined],
  ])(
    "refuses settings that are malformed, nearly right, or protection that is empty: %j",
    async (environment, words) => {
      const { webhook } = createHandlers(new Session({ environment: { ...offline, ...environment } }));
      const said = (await webhook.check({}, good.webhook)).failures.map(({ reason }) => reason);
      expect(said).toEqual(words === undefined ? [] : [expect.stringMatching(words)]);
      for (const reason of said) expect(reason).toMatch(/^settings: /);
      expect(said.join()).not.toContain("hush");
    },
  );
});

describe("unknown values", () => {
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constant(UNKNOWN),
      fc.constant(null),
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
      tie("value").map(secret),
    ),
  })).value;
  const properties = (handler: HandlerName) =>
    fc.record(
      Object.fromEntries(
        [...Object.keys(definitions[handler].args.shape), "__esign", "__provider", "other"].map((key) => [
          key,
          anything,
        ]),
      ),
      { requiredKeys: [] },
    ) as fc.Arbitrary<Properties>;

  it.each(names)("never make %s throw, at any depth, except for an invalid state", async (handler) => {
    await fc.assert(
      fc.asyncProperty(properties(handler), properties(handler), async (olds, news) => {
        const before = JSON.stringify([olds, news]);
        const { inputs, failures } = await handlers[handler].check(olds, news);
        const plan = await handlers[handler].diff(idOf(handler, "12/"), olds, news).catch((error: Error) => {
          // No state is written so, and nothing is planned with it.
          expect(error.message).toContain("edited by hand");
        });
        // What comes back must survive the wire: an undefined in it would lose the object.
        expect(JSON.parse(JSON.stringify({ inputs, failures, plan }))).toEqual({ inputs, failures, plan });
        expect(JSON.stringify([olds, news])).toBe(before);
      }),
      { numRuns: cases(50) },
    );
  });

  it.each(names)("are a change of %s, and a replacement when the object is made of them", async (handler) => {
    for (const field of Object.keys(definitions[handler].args.shape)) {
      const news = { ...good[handler], [field]: UNKNOWN };
      expect(await reasons(handler, news)).toEqual([]);
      const plan = await handlers[handler].diff(idOf(handler), good[handler], news);
      const isCreateOnly = (definitions[handler].createOnly as readonly string[]).includes(field);
      // A company keeps its first user.
      const isReplaced = isCreateOnly && handler !== "company";
      expect(plan).toMatchObject({ changes: true, replaces: isReplaced ? [field] : [] });
    }
  });
});

it("accepts another spelling of what a company was created with", async () => {
  const { failures } = await handlers.company.check(
    { ...good.company, userEmail: "U@n.example" },
    { ...good.company, userEmail: "u@N.example" },
  );
  expect(failures).toEqual([]);
});

it.each<[HandlerName, Properties, Properties, boolean]>([
  ["branding", { colour: "#AABBCC" }, { colour: "#abc" }, false],
  ["branding", {}, { onDelete: "restore" }, false],
  ["brandingEmail", { content: "a\nb\n" }, { content: "a  \r\nb" }, false],
  ["company", { email: "A@n.example" }, { email: "a@N.example" }, false],
  [
    "webhook",
    { __esign: { version: 1 }, webhookId: "1", createdAt: "x", __provider: "old" },
    { onExisting: "adopt" },
    false,
  ],
  ["branding", { logoUrl: "https://x.example/a.png?1" }, { logoUrl: "https://x.example/a.png?2" }, true],
  ["branding", { logoUrl: "https://x.example/a.png" }, {}, true],
  ["branding", {}, { onDelete: "keep" }, true],
  ["company", {}, { deletionProtection: false }, true],
])(
  "the plan of %s with %j and then %j has a change only where it makes a difference: %j",
  async (handler, olds, news, isChange) => {
    const [before, after] = [olds, news].map((change) => ({ ...good[handler], ...change }));
    const { changes } = await handlers[handler].diff(idOf(handler), before!, after!);
    expect(changes).toBe(isChange);
  },
);

/** Every state file of every user holds these texts: they must never change. */
it("has a provider text that is a permanent contract", () => {
  const released = ["branding", "brandingEmail", "webhook", "company", "contact", "user", "settings"];
  expect(names).toEqual(expect.arrayContaining(released));
  for (const name of names)
    expect(providerText(name)).toBe(`exports.handler = () => require("pulumi-esign/hooks").${name};`);
  for (const name of names) expect(Buffer.byteLength(providerText(name))).toBeLessThanOrEqual(80);
});

it("checks what is known of an argument of which a member is not", async () => {
  const settings = (args: object) =>
    checkArguments(definitions.settings, {}, args as Properties, {
      allowUnknownValues: false,
      edition: "specification",
    })
      .map(({ field, message }) => `${field} ${message}`)
      .join("\n");
  expect(
    settings({ other: { setting_a: UNKNOWN, setting_b: true }, signatureFormatAccepted: ["drawn", UNKNOWN] }),
  ).toBe("");
  expect(settings({ other: { setting_a: UNKNOWN, wrong: true } })).toMatch(/other\.wrong must begin with setting_/);
  expect(settings({ other: { wrong: UNKNOWN } })).toMatch(/other\.wrong must begin with setting_/);
  expect(settings({ other: { setting_a: UNKNOWN, setting_b: ["x"] } })).toMatch(
    /other\.setting_b must be a string, a number/,
  );
  expect(settings({ signatureFormatAccepted: [UNKNOWN, "drwn"] })).toMatch(
    /signatureFormatAccepted\[1\] .*did you mean "?drawn/i,
  );
});
