/** The files around an account's folder that make it a Pulumi project, for deploying it as code. */
import { type Document, isMap, stringify } from "yaml";
import type { Files } from "../../../account-folder/folder/write";

export interface ProjectOptions {
  /** Name of the project. */
  name: string;
  /** Name of the stack that stands for the account. */
  stack: string;
  /** Address of the service. */
  baseUrl: string;
  /** True when the content needs `esign:allowUnknownValues`. */
  allowUnknownValues: boolean;
  /** Id of the sub account that the project is of: its key is the partner's. */
  company?: string;
  /** True when there are sub accounts. */
  partner: boolean;
  /** Versions for package.json, as ranges. */
  dependencies: Record<string, string>;
  /** The key, encrypted with a passphrase. Without it, the stack's configuration lacks the key. */
  secret?: { salt: string; apiKey: string };
  /** The stack's configuration that is there; it is written to. */
  configuration: Document;
  /** What could not be exported as it is. */
  notes: readonly string[];
}

/** Name of the component in the program: the names of all resources begin with it. */
export const COMPONENT = "account";

/** File of the resources to import, for `pulumi import --file`. */
export const IMPORT_FILE = "import.json";

/** The project's files. */
export function projectFiles(options: ProjectOptions): Files {
  return new Map([
    ["Pulumi.yaml", stringify({ name: options.name, description: "An e-signature account", runtime: "nodejs" })],
    [`Pulumi.${options.stack}.yaml`, stackConfiguration(options)],
    ["package.json", packageJson(options)],
    ["tsconfig.json", TSCONFIG],
    ["index.ts", program(options)],
    [".gitignore", "node_modules/\n.pulumi/\n.esign/\n"],
    ["README.md", readme(options)],
  ]);
}

/** Says which account it is. What it says besides stays: nobody else has the secrets in it, or knows what `esign:expectAccount` was. */
function stackConfiguration({ baseUrl, allowUnknownValues, secret, configuration: document }: ProjectOptions): string {
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  if (secret) document.set("encryptionsalt", secret.salt);
  if (!isMap(document.get("config"))) document.set("config", document.createNode({}));
  if (allowUnknownValues) document.setIn(["config", "esign:allowUnknownValues"], "true");
  // A key that cannot be looked at may be that of another account.
  if (secret) document.setIn(["config", "esign:apiKey"], document.createNode({ secure: secret.apiKey }));
  else document.deleteIn(["config", "esign:apiKey"]);
  document.setIn(["config", "esign:baseUrl"], baseUrl);
  return document.toString({ lineWidth: 0 });
}

function packageJson({ name, dependencies }: ProjectOptions): string {
  return `${JSON.stringify({ name, private: true, main: "index.ts", dependencies, devDependencies: { "@types/node": "^20", typescript: "^5" } }, null, 2)}\n`;
}

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: "ES2022",
      module: "node16",
      moduleResolution: "node16",
      types: ["node"],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["*.ts"],
  },
  null,
  2,
)}\n`;

function program({ allowUnknownValues, company }: ProjectOptions): string {
  const options = [
    'folder: "."',
    ...(company === undefined ? [] : [`account: ${JSON.stringify(company)}`]),
    ...(allowUnknownValues ? ["allowUnknownValues: true"] : []),
  ];
  const where =
    company === undefined
      ? ""
      : "\n// The key is the partner's: without `account`, all of it would go into the partner's own account.";
  return `import * as esign from "pulumi-esign";

// Everything in the account is in the files beside this one: account.yaml, emails/ and, for a partner, companies/.${where}
new esign.AccountConfig("${COMPONENT}", { ${options.join(", ")} });
`;
}

function readme(options: ProjectOptions): string {
  const { name, stack, secret, partner, company, notes } = options;
  const key = secret
    ? `The key is in \`Pulumi.${stack}.yaml\`, encrypted with your passphrase.`
    : `The key is not in these files. Either keep it in the environment (\`ESIGN_API_KEY\`), or put it into the stack's
configuration when there is the stack, encrypted (it is asked for and not shown):

    esign config set --stack ${stack} --secret esign:apiKey`;
  const whose =
    company === undefined
      ? ""
      : `\nIt is the sub account ${company}, which \`index.ts\` names, and the key is that of its partner.\n`;
  const companies = partner
    ? "- `companies/<name>/`: a sub account each, with `company.yaml` and the same files again.\n"
    : "";
  const left =
    notes.length > 0 ? `\n## Not exported as it is\n\n${notes.map((note) => `- ${oneLine(note)}`).join("\n")}\n` : "";
  const refresh = partner
    ? `\nThe keys of sub accounts are not in \`${IMPORT_FILE}\`; \`pulumi refresh\` fetches them into the state, encrypted.\n`
    : "";
  return `# ${name}

An e-signature account as code, written by \`esign export\`.

- \`account.yaml\`: logo, colour and webhooks. \`emails/<type>/\`: subject, HTML body and plain text of each e-mail.
${companies}- \`index.ts\`: the program. \`Pulumi.${stack}.yaml\`: the configuration of the stack \`${stack}\`.
${whose}
${key}

## Take the account over

Install once, and make the stack:

    npm install
    esign stack init ${stack}

Then either let the first run adopt what is there. It changes nothing in the account:

    esign up --stack ${stack}

or, with the Pulumi CLI, import it into the state; the preview after it is empty:

    pulumi import --stack ${stack} --file ${IMPORT_FILE} --protect=false --generate-code=false
    pulumi preview --stack ${stack}
${refresh}
After that, \`${IMPORT_FILE}\` may go.

## Work with it

    esign lint .                           lint the email templates
    esign emails render .                  render them to emails.html
    esign preview                          what would change
    esign drift --exit-code                what was changed outside Pulumi
${left}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");
