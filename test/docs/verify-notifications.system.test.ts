/**
 * The code of "Verify notifications in any language", as it is on the page, in each language that this machine has: with the published
 * vectors, and with notifications that an emulator has signed.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { start } from "../../emulator";
import { receive } from "../../receiver";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../../sdk/api/notification-headers";
import { root } from "../cli/esign";
import { temporaryFolder } from "../files";
import { type Vector, vectors } from "../fixtures/notification-vectors";

const page = readFileSync(join(root, "docs/how-to/verify-notifications-in-any-language.md"), "utf8");
const codeOf = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page)![1]!;

interface Language {
  /** Says whether it is on this machine. */
  probe: string[];
  /** Files beside `cases.json`; `code` is that of the page. */
  files: (code: string) => Record<string, string>;
  /** Prints the outcomes as JSON. */
  command: string[];
}

const python = `import json, sys
outcomes = []
for case in json.load(open("cases.json")):
    body = case["body"].encode()
    try:
        verify(body, case["signature"], case["timestamp"], case["secrets"], case["now"])
        form, event = read(body)
        outcomes.append({"form": form, "action": event["action"], "key": idempotency_key(form, event)})
    except Rejected as error:
        outcomes.append({"rejected": str(error)})
json.dump(outcomes, sys.stdout)
`;
const php = `
$outcomes = [];
foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    try {
        verify($case['body'], $case['signature'], $case['timestamp'], $case['secrets'], $case['now']);
        [$form, $event] = read($case['body']);
        $outcomes[] = ['form' => $form, 'action' => $event['action'], 'key' => idempotency_key($form, $event)];
    } catch (Rejected $error) {
        $outcomes[] = ['rejected' => $error->getMessage()];
    }
}
echo json_encode($outcomes);
`;
const ruby = `
outcomes = JSON.parse(File.read("cases.json", encoding: "UTF-8")).map do |one|
  body = one["body"].b
  verify(body, one["signature"], one["timestamp"], one["secrets"], one["now"])
  form, event = read(body)
  { form: form, action: event["action"], key: idempotency_key(form, event) }
rescue Rejected => error
  { rejected: error.message }
end
puts JSON.generate(outcomes)
`;
const go = `package main

import (
	"encoding/json"
	"os"

	"example.com/verify/esign"
)

func main() {
	var cases []struct {
		Body, Signature, Timestamp string
		Secrets                    []string
		Now                        int64
	}
	text, _ := os.ReadFile("cases.json")
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	outcomes := []map[string]any{}
	for _, one := range cases {
		body := []byte(one.Body)
		if err := esign.Verify(body, one.Signature, one.Timestamp, one.Secrets, one.Now); err != nil {
			outcomes = append(outcomes, map[string]any{"rejected": err.Error()})
			continue
		}
		form, event, err := esign.Read(body)
		if err != nil {
			panic(err)
		}
		outcomes = append(outcomes, map[string]any{"form": form, "action": event["action"], "key": esign.IdempotencyKey(form, event)})
	}
	json.NewEncoder(os.Stdout).Encode(outcomes)
}
`;

const languages: Record<string, Language> = {
  python: {
    probe: ["python3", "--version"],
    files: (code) => ({ "verify.py": `${code}\n${python}` }),
    command: ["python3", "verify.py"],
  },
  php: {
    probe: ["php", "--version"],
    files: (code) => ({ "verify.php": `${code}\n${php}` }),
    command: ["php", "verify.php"],
  },
  ruby: {
    probe: ["ruby", "--version"],
    files: (code) => ({ "verify.rb": `${code}\n${ruby}` }),
    command: ["ruby", "verify.rb"],
  },
  go: {
    probe: ["go", "version"],
    files: (code) => ({ "go.mod": "module example.com/verify\n\ngo 1.21\n", "esign/esign.go": code, "main.go": go }),
    command: ["go", "run", "."],
  },
};

/** As the service sends them: by an emulator, with its own signature. */
async function signedByEmulator(minimal: boolean): Promise<Vector[]> {
  const found: Vector[] = [];
  const secret = "emulated-example-secret";
  const now = Math.floor(Date.now() / 1000);
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const headers = Object.fromEntries(
      [SIGNATURE_HEADER, TIMESTAMP_HEADER].map((name) => [name, String(request.headers[name.toLowerCase()])]),
    );
    found.push({ name: "from an emulator", secrets: [secret], now, headers, body, rejected: null });
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const service = await start({
    edition: "current",
    notifications: { signed: true, minimal, retries: 0 },
    seed: { account: { webhooks: [{ type: "all", url, secret }] } },
  });
  const account = service.data().accounts.find(({ webhooks }) => webhooks.length > 0)!.id;
  for (const action of ["signed-envelope-complete", "rejected-envelope", "add-user", "bounced-envelope"] as const)
    await service.notify(account, action);
  await service.waitForDeliveries();
  await service.close();
  server.close();
  return found.map((one) => {
    const { event, idempotencyKey } = receive(one.headers, one.body, { secrets: one.secrets });
    return { ...one, form: event.form, action: event.action, idempotencyKey };
  });
}

let cases: Vector[] = [];
beforeAll(async () => {
  const emulated = [...(await signedByEmulator(false)), ...(await signedByEmulator(true))];
  expect(emulated.map(({ form }) => form)).toEqual([...Array(4).fill("classic"), ...Array(4).fill("minimal")]);
  // What a stranger makes of one of them.
  const forged = { ...emulated[0]!, body: `${emulated[0]!.body}&x=1`, rejected: "signature" as const };
  cases = [...vectors, ...emulated, forged];
});

test.for(Object.entries(languages))("%s", ([name, { probe, files, command }], { skip }) => {
  const [program, ...args] = probe;
  skip(spawnSync(program!, args).status !== 0, `${name} is not on this machine: its code on the page is not tried`);
  const input = cases.map(({ secrets, now, headers, body }) => ({
    ...{ secrets, now, body, signature: headers[SIGNATURE_HEADER] ?? "", timestamp: headers[TIMESTAMP_HEADER] ?? "" },
  }));
  const folder = temporaryFolder({ ...files(codeOf(name)), "cases.json": JSON.stringify(input) });
  const { status, stdout, stderr } = spawnSync(command[0]!, command.slice(1), { cwd: folder, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const outcomes = cases.map(({ rejected, form, action, idempotencyKey }) =>
    rejected === null ? { form, action, key: idempotencyKey } : { rejected },
  );
  expect(JSON.parse(stdout)).toEqual(outcomes);
});
