import { describe, expect, it } from "vitest";
import { sortFindings } from "../../account-folder/finding";
import { type LoadOptions, loadFolder } from "../../account-folder/folder/load-folder";
import { temporaryFolder } from "../files";
import { sectionsOf } from "./sections";

const load = (files: Record<string, string | Buffer>, options?: LoadOptions) =>
  loadFolder(temporaryFolder(files), options);
const findingsOf = (files: Record<string, string | Buffer>, options?: LoadOptions) =>
  load(files, options).findings.map(
    ({ file, line, column, rule, message }) => `${file}:${line}:${column} ${rule}: ${message}`,
  );

it("no logo is a written null, not a missing value, an empty one, or another setting", () => {
  const removed = load({ "account.yaml": "branding:\n  logoUrl: null\n" });
  expect(removed.findings).toEqual([]);
  expect(sectionsOf(removed.account.model).branding).toEqual({ logoUrl: "" });
  for (const [yaml, finding] of [
    ["logoUrl:", '2:3 settings: "branding.logoUrl" has no value'],
    ['logoUrl: ""', '2:12 settings: "branding.logoUrl" must'],
    ["colour: null", '2:3 settings: "branding.colour" has no value'],
  ])
    expect(findingsOf({ "account.yaml": `branding:\n  ${yaml}\n` })).toEqual([
      expect.stringContaining(`account.yaml:${finding}`),
    ]);
});

describe("an account's folder", () => {
  it("becomes an account's model", () => {
    const { account, findings } = load(
      {
        "account.yaml": [
          "branding:",
          '  colour: "#1a5fb4"',
          "  logoUrl: https://static.example.com/${stage}/logo.png",
          "webhooks:",
          "  signed: { type: signed-envelope-complete, url: 'https://hooks.example.com/${stage}/signed' }",
        ].join("\n"),
        "emails/email-send/subject.txt": "Please sign {contract title}\r\n",
        "emails/email-send/body.html": '<p>שלום {client name} ${stage}</p>\r\n<a href="{contract url}">sign</a>\r\n',
        "emails/email-send/body.txt": "Sign: {contract url}\n\n",
        "emails/email-signed/body.html": "<h1>{contract title}</h1>\n${include footer}",
        "emails/email-rejected/body.html": "<p>rejected</p>",
        "emails/email-rejected/body.txt": "",
        "partials/footer.html": '<p>Bye, <a href="https://example.com">us</a></p>\n',
      },
      { values: { stage: "a<b" } },
    );
    expect(findings).toEqual([
      expect.objectContaining({ file: "account.yaml", line: 3, column: 12, rule: "settings" }),
      expect.objectContaining({ file: "account.yaml", line: 5, column: 50, rule: "settings" }),
    ]);
    expect(sectionsOf(account.model)).toEqual({
      branding: { colour: "#1a5fb4", logoUrl: "https://static.example.com/a<b/logo.png" },
      webhooks: [{ name: "signed", type: "signed-envelope-complete", url: "https://hooks.example.com/a<b/signed" }],
      emails: {
        "email-send": {
          subject: "Please sign {contract title}",
          content: '<p>שלום {client name} a&lt;b</p>\r\n<a href="{contract url}">sign</a>\r\n',
          contentPlain: "Sign: {contract url}\n\n",
        },
        "email-signed": {
          content: '<h1>{contract title}</h1>\n<p>Bye, <a href="https://example.com">us</a></p>',
          contentPlain: "{contract title}\n\nBye, us [https://example.com]",
        },
        "email-rejected": { content: "<p>rejected</p>" },
      },
    });
  });

  it("holds subaccounts with values and partials of their own", () => {
    const { account, findings } = load(
      {
        "account.yaml": "",
        "partials/footer.txt": "footer of all",
        "partials/header.txt": "header of all",
        "emails/email-send/body.txt": "${include header}",
        "companies/acme/company.yaml":
          "name: ${prefix} Acme\nuserName: Ann\nuserEmail: ann@acme.example\nvalues:\n  customer: ACME\n",
        "companies/acme/account.yaml": "branding: { colour: '#00f' }",
        "companies/acme/partials/header.txt": "header of ${customer}\n",
        "companies/acme/emails/email-send/body.txt": "${include header}, ${include footer}",
      },
      { values: { prefix: "The" } },
    );
    expect(findings).toEqual([]);
    expect(sectionsOf(account.model).emails).toEqual({ "email-send": { contentPlain: "header of all" } });
    expect(sectionsOf(account.model).companies).toEqual([
      {
        slug: "acme",
        name: "The Acme",
        userName: "Ann",
        userEmail: "ann@acme.example",
        account: {
          branding: { colour: "#00f" },
          webhooks: [],
          emails: { "email-send": { contentPlain: "header of ACME, footer of all" } },
        },
      },
    ]);
  });

  it("says file, line and column of a value that is missing and of one that is unused", () => {
    expect(
      findingsOf(
        {
          "account.yaml": "webhooks:\n  a:\n    type: all\n    url: https://${host}/a",
          "emails/email-send/body.html": "<p>\n  ${portl} ${include footer}</p>",
          "partials/footer.html": "<i>${x}</i>",
          "companies/acme/company.yaml": "name: A\nvalues:\n  used: 1\n  unused: 2\n",
          "companies/acme/emails/email-send/subject.txt": "${used}",
        },
        {
          values: { portal: "P" },
          placeOfValue: () => ({ file: "Pulumi.dev.yaml", line: 7, column: 5, endLine: 7, endColumn: 11 }),
        },
      ).sort(),
    ).toEqual([
      'Pulumi.dev.yaml:7:5 unused-value: unused value "portal"',
      "account.yaml:4:18 missing-value: missing value for ${host}",
      'companies/acme/company.yaml:4:3 unused-value: unused value "unused"',
      "emails/email-send/body.html:2:3 missing-value: missing value for ${portl}",
      "partials/footer.html:1:4 missing-value: missing value for ${x}",
    ]);
  });

  it("lets values stay open when they are not required", () => {
    const { account, findings } = load(
      { "account.yaml": "branding: { logoUrl: 'https://${host}/logo.png' }" },
      { requireValues: false },
    );
    expect(findings).toEqual([]);
    expect(sectionsOf(account.model).branding.logoUrl).toBe("https://‹host›/logo.png");
  });

  it.each([
    ["branding:\n  color: '#fff'", '2:3 settings: unknown setting "branding.color", did you mean "colour"?'],
    ["branding:\n  colour: #fff", '2:3 settings: "branding.colour" has no value'],
    ["branding:\n  colour: blue", '2:11 settings: "branding.colour" must be a hex colour of the form #RRGGBB'],
    ['branding:\n  colour: ""', '2:11 settings: "branding.colour" must be a hex colour'],
    ["webhook: {}", '1:1 settings: unknown setting "webhook", did you mean "webhooks"?'],
    ["webhooks:\n  a:\n    type: all", '2:3 settings: "webhooks.a.url" is missing'],
    [
      "webhooks:\n  a:\n    type: signed-envelop\n    url: ftp://x",
      '3:11 settings: "webhooks.a.type" is not known, did you mean "signed-envelope"? One of: send-',
    ],
    [
      "webhooks:\n  a:\n    type: moved-envelope\n    url: https://a.example/",
      '3:11 settings: "webhooks.a.type" "moved-envelope" is new',
    ],
    ["webhooks: []", '1:11 settings: "webhooks" must be settings by name'],
    [
      "lint:\n  off:\n    image-alt: false",
      '3:16 settings: "lint.off.image-alt" must be true, or a list of files and directories',
    ],
    [
      "lint:\n  requiredVariables:\n    email-send: contract url",
      '3:17 settings: "lint.requiredVariables.email-send" must be a list of variables, such as [contract url]',
    ],
    ["- a", "1:1 settings: must contain settings by name"],
    ["a: b: c", "1:4 settings: invalid YAML"],
    [
      "lint:\n  off:\n    image-alt: [*.html]",
      '3:17 settings: invalid YAML: "*.html" is an unknown alias; a text that begins with * needs quotes',
    ],
    [
      "branding:\n  logoUrl: https://x/${a b}",
      '2:22 template-syntax: "${a b}" is neither a placeholder nor an include',
    ],
  ])("explains %j", (yaml, expected) => {
    expect(findingsOf({ "account.yaml": yaml })[0]).toContain(`account.yaml:${expected}`);
  });

  it("checks a subaccount's settings against the rules of the service, with its values filled in", () => {
    const of = (company: string) => findingsOf({ "companies/acme/company.yaml": company });
    expect(of("name: ' '\nuserName: ''\nuserEmail: ann at acme\nemail: ann@\n").map((text) => text.slice(28))).toEqual([
      '1:7 settings: "name" must not be empty',
      '2:11 settings: "userName" must not be empty',
      '3:12 settings: "userEmail" must be an email address',
      '4:8 settings: "email" must be an email address',
    ]);
    expect(of("name: Acme\nuserEmail: ann@${host}\nvalues: { host: acme.example }\n")).toEqual([]);
  });

  it("takes numbers as they are written", () => {
    const { account, findings } = load({
      "companies/acme/company.yaml": "name: 007\nvalues: { phone: +4930123, code: 01234, version: 1.10, hex: 0x1F }\n",
      "companies/acme/emails/email-send/subject.txt": "${phone} ${code} ${version} ${hex}",
    });
    expect(findings).toEqual([]);
    const subject = "+4930123 01234 1.10 0x1F";
    expect(sectionsOf(account.model).companies).toMatchObject([
      { name: "007", account: { emails: { "email-send": { subject } } } },
    ]);
  });

  it("reports files that are not read", () => {
    expect(
      findingsOf({
        "README.md": "",
        ".gitattributes": "* -text",
        "account.yaml": "settings: { emailPdfAttach: false }",
        "webhooks/orders.json": "{}",
        "branding/logo.svg": "",
        "settings.yaml": "",
        "emails/email-sent/body.html": "",
        "emails/email-send/body.html": "<p>",
        "emails/email-send/body.mjml": "",
        "emails/email-send.html": "",
        "emails/notes.txt": "",
        "partials/old.html": "",
        "companies/notes.txt": "",
        "companies/acme/emails/email-send/subject.txt": "x",
        "companies/acme.yaml": "",
      }).map((finding) => finding.replace(/: .*/, "")),
    ).toEqual([
      "settings.yaml:1:1 unused-file",
      "emails/email-send/body.mjml:1:1 unused-file",
      "emails/email-send.html:1:1 missing-file",
      "emails/email-sent:1:1 unknown-email",
      "emails/notes.txt:1:1 unused-file",
      "companies/acme/company.yaml:1:1 missing-file",
      "companies/acme.yaml:1:1 missing-file",
      "companies/notes.txt:1:1 unused-file",
      "partials/old.html:1:1 unused-file",
    ]);
  });

  it.each([
    ["email/email-send/subject.txt", "email", "rename it to emails"],
    ["Partials/footer.html", "Partials", "rename it to partials"],
    ["company/acme/company.yaml", "company", "rename it to companies"],
    ["webhooks/orders.yaml", "webhooks", 'write it below "webhooks:" in account.yaml'],
    ["webhook.yml", "webhook.yml", 'write it below "webhooks:" in account.yaml'],
    ["emails/email-send/body.htm", "body.htm", "rename it to body.html"],
    ["emails/email-send/subjet.txt", "subjet.txt", "rename it to subject.txt"],
    ["emails/email-send.html", "email-send.html", "an email template is a directory named after its type"],
    ["companies/acme.yaml", "acme.yaml", "a subaccount is a directory with a company.yaml"],
    ["companies/acme/email/email-send/subject.txt", "email", "rename it to emails"],
  ])("refuses %s, without which what it declares would be deleted", (file, name, fix) => {
    const company = "name: A\nuserName: B\nuserEmail: b@a.example\n";
    const { findings } = load({
      "account.yaml": "",
      ...(/acme.e/.test(file) && { "companies/acme/company.yaml": company }),
      [file]: "x",
    });
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: "missing-file", severity: "error", message: `"${name}" is not read`, fix }),
    );
  });

  const company = "name: A\nuserName: B\nuserEmail: b@a.example\n";
  const whole = {
    "account.yaml": "branding: { colour: '#123456' }",
    "emails/email-send/body.html": "<p>",
    "emails/email-send/body.txt": "x",
    "emails/email-send/subject.txt": "x",
    "companies/acme/company.yaml": company,
  };

  it.each([
    ["account.yml", "account.yaml"],
    ["ACCOUNT.yml", "account.yaml"],
    ["acount.yaml", "account.yaml"],
    ["accuont.yaml", "account.yaml"],
    ["account.yaml.txt", "account.yaml"],
    ["companies/acme/company.yml", "company.yaml"],
    ["companies/acme/Account.yml", undefined],
    ["emails/email-send/body.htm", "body.html"],
    ["emails/email-send/Boddy.html", "body.html"],
    ["emails/email-send/body.html.txt", "body.html"],
    ["emails/email-send/subject.text", "subject.txt"],
    ["emails/email-send/subjet.txt", "subject.txt"],
    ["emails/email-send.html", undefined],
    ["companies/acme.yaml", undefined],
    ["companies/acme/companies/branch/company.yaml", undefined],
    ["companies/acme/companies/branch.yaml", undefined],
  ])("refuses %s beside the right one, which would silently not be deployed", (file, right) => {
    const { findings } = load({ ...whole, [file]: company });
    expect(findings).toEqual([
      expect.objectContaining({
        rule: "missing-file",
        severity: "error",
        message: expect.stringMatching(/^"[\w.-]+" is not read$/),
        fix: right
          ? `move what is in it to ${right}, and delete it; or give it another name`
          : expect.stringMatching(/rename it to|is a directory|has no subaccounts/),
      }),
    ]);
  });

  it.each([
    "README.md",
    "account.md",
    "account.prod.yaml",
    "accounts.yaml",
    "amount.yaml",
    "accent.yaml",
    "count.yaml",
    "companies/acme/compass.yaml",
    "account.schema.json",
    "companies/acme/company.md",
    "companies/acme/companies/README.md",
    "emails/email-send/body.mjml",
    "emails/email-send/body2.html",
    "emails/email-send/body-old.html",
    "emails/email-send/body.html.orig",
    "emails/email-send/preview.png",
    "emails/email-send/index.html",
    "emails/email-send/object.txt",
    "emails/email-send.mjml",
    "companies/notes.txt",
  ])("lets %s be: it is something else", (file) => {
    expect(load({ ...whole, [file]: "x" }).findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("refuses another name of the company.yaml of a folder that is a subaccount's", () => {
    expect(load({ "account.yaml": "", "company.yml": "name: A" }, { soleCompany: true }).findings).toEqual([
      expect.objectContaining({ file: "company.yml", severity: "error", message: '"company.yml" is not read' }),
    ]);
  });

  it("refuses aliases of a directory that another subaccount has, or had, and of one that has its name from a program", () => {
    const company = (aliases: string) => `name: A\nuserName: B\nuserEmail: b@a.example\naliases: ${aliases}\n`;
    const findings = findingsOf({
      "companies/a/company.yaml": company("[old]"),
      "companies/b/company.yaml": company("[a, older]"),
      "companies/c/company.yaml": company("[old]"),
    });
    expect(findings).toEqual([
      'companies/b/company.yaml:4:1 settings: "aliases": a is another subaccount',
      'companies/c/company.yaml:4:1 settings: "aliases": old is another subaccount',
    ]);
    const sole = load({ "account.yaml": "", "company.yaml": company("[old]") }, { soleCompany: true });
    expect(sole.findings.map(({ message }) => message)).toEqual(['"aliases" is of a directory in companies/']);
  });

  it("refuses a misspelt directory beside the right one, too", () => {
    const findings = findingsOf({ "email/email-signed/subject.txt": "x", "emails/email-send/subject.txt": "x" });
    expect(findings).toEqual(['email:1:1 missing-file: "email" is not read']);
  });

  it("lets email types through that it does not know, when asked to", () => {
    const { account, findings } = load({ "emails/email-new/subject.txt": "x" }, { allowUnknownValues: true });
    expect(findings).toEqual([]);
    expect(sectionsOf(account.model).emails).toEqual({ "email-new": { subject: "x" } });
  });

  it("warns of an email type that looks new, and keeps it", () => {
    const { account, findings } = load({ "emails/email-new/subject.txt": "x", "emails/letter/subject.txt": "x" });
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: the email template type "email-new" is new to this version; it is sent as it is',
      expect.stringMatching(/^error: unknown email template type "letter"/),
    ]);
    expect(sectionsOf(account.model).emails).toEqual({ "email-new": { subject: "x" } });
  });

  it("says that a file is not UTF-8", () => {
    expect(findingsOf({ "emails/email-send/body.html": Buffer.from("<p>\nf\xfcr", "latin1") })).toEqual([
      "emails/email-send/body.html:2:2 encoding: the file is not UTF-8",
    ]);
  });

  it("says of a file with a merge conflict that alone, and of one that only looks like it nothing", () => {
    const both = (ours: string, theirs: string, eol = "\n") =>
      ["", "<<<<<<< HEAD", ours, "=======", theirs, ">>>>>>> feature", ""].join(eol);
    const conflict = (file: string) =>
      `${file}:${file === bom ? 1 : 2}:1 merge-conflict: a merge conflict is not resolved`;
    const bom = "emails/email-reminder/body.txt";
    const company = "companies/acme/company.yaml";
    const files = {
      "account.yaml": both('branding: { colour: "#112233" }', 'branding: { colour: "#445566" }'),
      [company]: both("name: Acme", "name: Acme Ltd", "\r\n"),
      "emails/email-send/subject.txt": both("Please sign", "Sign"),
      "emails/email-send/body.html": both("<p>{contract url}", "||||||| base\n<p>{user name}"),
      "emails/email-send/body.txt": both("{contract url}", "\n"),
      [bom]: `\ufeff${both("{contract url}", "\n").trimStart()}`,
      "emails/email-signed/body.txt": "<<<<<<< quoted\n\nHello\n=======\n{contract url} {client name} {contract title}",
    };
    const found = sortFindings(load(files).findings).map(
      ({ file, line, column, rule, message }) => `${file}:${line}:${column} ${rule}: ${message}`,
    );
    const paths = Object.keys(files).filter((path) => !path.startsWith("emails/email-signed"));
    expect(found).toEqual(paths.map(conflict).sort());
  });

  it("refuses what is no account folder", () => {
    const parts = "an account.yaml, email templates (emails/<type>/) or subaccounts (companies/<name>/company.yaml)";
    for (const files of [{ "README.md": "" }, { "partials/a.html": "" }, { "emails/invitation.html": "<p>" }])
      expect(() => load(files)).toThrow(`is not an account folder: it does not have ${parts}`);
    expect(() => load({ "emails/invitation.html": "<p>" })).toThrow(
      'emails/invitation.html: "invitation.html" is not read; an email template is a directory named after its type',
    );
    expect(findingsOf({ "emails/email-sned/subject.txt": "x" })).toEqual([
      expect.stringContaining('did you mean "email-send"?'),
    ]);
    expect(() => loadFolder("/nowhere/at/all")).toThrow('there is no folder "/nowhere/at/all"');
  });
});
