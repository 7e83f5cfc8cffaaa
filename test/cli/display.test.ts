import pc from "picocolors";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createDisplay } from "../../cli/display/display";
import { changeLines, propertyLines, valueLines } from "../../cli/display/format-values";
import { jsonDisplay } from "../../cli/display/json-display";
import { LiveRegion } from "../../cli/display/live-region";
import { clean, duration, truncate } from "../../cli/display/terminal-text";
import type { EngineEvent, StepInfo } from "../../engine/events";
import type { EffectName, FieldEffect } from "../../provider/plan/effect";
import {
  changed,
  changedProvider,
  done,
  end,
  error,
  failed,
  newWebhook,
  outputs,
  plain,
  planEvents,
  planned,
  planPrinting,
  prints,
  sameBranding,
  shown,
  stack,
  start,
  started,
  subjectChange,
  updateEvents,
  updatePrinting,
  waits,
  webhookUpdate,
} from "./display-events";

describe("a plan", () => {
  it("is a tree of what changes, with the properties that change", () => {
    expect(shown(planEvents)).toBe(`
Preview  shop/dev  built-in engine

  │ loading 7 emails

     Resource                   Effect   Detail
 +   Webhook        signed      create   signed-envelope-complete
 ~   BrandingEmail  email-send  update
       ~ subject: "Please sign" → "Your signature, please"
       ~ content: +1 -1 lines
 +-  Webhook        rejected    replace
       ~ account: "17" → [unknown] [forces replacement]
 -   Webhook        old         delete   all → https://a.example

warning: Webhook "signed": adopting an equal webhook
  that is there already

Outputs:
    + id: [unknown]

1 to create, 1 to update, 1 to replace, 1 to delete, 1 unchanged. (4.2s)
`);
  });

  it("shows the inputs of what is new and what goes with --diff", () => {
    const out = shown(planEvents, { diff: true });
    expect(out).toContain(`signed      create   signed-envelope-complete
       + type: "signed-envelope-complete"
       + url: [secret]
`);
    expect(out).toContain(`       ~ content:
             <p>
           -   Hello {client name},
           +   Dear {client name},
               please sign.
             </p>
`);
    expect(out).toContain(`old         delete   all → https://a.example
       - type: "all"
       - url: "https://a.example"
`);
  });

  it("says in one line that nothing would change", () => {
    const same = [stack, sameBranding].map((step) => planned(step));
    const unchanged = outputs({ logo: "x" }, { logo: "x" });
    expect(shown([start(), ...same, unchanged, end({ changes: { same: 2 }, durationMs: 900 })])).toBe(`
Preview  shop/dev  built-in engine

No changes. 1 resource up to date. (0.9s)
Compared with the state only. To find what has changed in the account since: \`esign drift\`, or --refresh.
`);
    const events = [start(), ...same, end({ changes: { same: 2 }, durationMs: 900 })];
    expect(shown(events, { refresh: true })).toMatch(/up to date\. \(0\.9s\)\n$/);
    const refreshed = [start({ operation: "refresh" }), ...same, end({ operation: "refresh", changes: { same: 2 } })];
    expect(shown(refreshed)).not.toContain("Compared with");
  });

  it("hides bookkeeping, and a refresh that found nothing", () => {
    const out = (...paths: string[]) => {
      const diffs = paths.map((path) => changed(path, "a", "b"));
      return shown([start(), planned({ ...sameBranding, op: "refresh", diffs }), end()]);
    };
    expect(out("__esign", "url")).toContain('↓   Branding  branding  refresh\n       ~ url: "a" → "b"\n');
    expect(out("__esign", "url")).not.toContain("__esign");
    expect(out("__esign")).not.toContain("Branding");
  });

  it("shows options that change although nothing else does, and does not call that nothing", () => {
    const step = { ...sameBranding, options: [changed("protect", false, true)] };
    const out = shown([start(), planned(step), end({ changes: { same: 2 } })]);
    expect(out).toContain("branding  change options\n       ~ protect (option): false → true\n");
    expect(out).toContain("1 to change options. (4.2s)\n");
    const ran = shown([start({ preview: false }), done(step)]);
    expect(ran).toMatch(/\* {2}Branding branding +options changed \[~protect \(option\)\]/);
  });

  it("shows the three steps of a replacement as one row", () => {
    const first = { ...newWebhook, op: "create-replacement", diffs: subjectChange.diffs! } as const;
    const others = (["replace", "delete-replaced"] as const).map((op) => planned({ ...newWebhook, op }));
    const out = shown([start(), planned(first), ...others, end()]);
    expect(out.match(/Webhook/g)).toHaveLength(1);
    expect(out).toContain("signed  replace  signed-envelope-complete\n       ~ subject:");
  });

  it("groups the same change of several resources, and has no summary when it failed", () => {
    const step = (name: string) =>
      planned({ ...subjectChange, name, urn: `${subjectChange.urn}-${name}`, diffs: subjectChange.diffs!.slice(1) });
    const text = shown([start(), step("a"), step("b"), end()]);
    expect(text.match(/~ content: \+1 -1 lines \(same in 2\)/g)).toHaveLength(2);
    const out = shown([start(), end({ ok: false, changes: { same: 2 } })]);
    expect(out).toContain("Preview failed.");
    expect(out).not.toContain("unchanged");
  });

  it("names the account, the SDK's version, and the newest one that is tested where it is newer", () => {
    expect(shown([start()])).not.toContain("@pulumi/pulumi");
    expect(shown([start()], { verbose: true })).toContain("built-in engine\n\n@pulumi/pulumi 3.248.0\n");
    expect(shown([start({ sdkTested: "3.240" })])).toContain("3.248.0 (tested up to 3.240)\n");
    const account = "https://sign.example.com key 1c8f…ee12";
    expect(shown([start()], { account })).toContain(`Preview  shop/dev → ${account}  built-in engine\n`);
  });

  it("has what is waited for when it begins, in each run again, and never at the end", () => {
    const run = (preview: boolean) => [
      start({ preview }),
      waits("no response for 2 s"),
      waits(""),
      done(newWebhook),
      end({ preview }),
    ];
    expect(shown([...run(true), ...run(false)]).match(/^ {2}│ .*$/gm)).toEqual(
      Array(2).fill("  │ no response for 2 s"),
    );
  });

  it("is one JSON event a line for machines", () => {
    const lines: string[] = [];
    const display = jsonDisplay((line) => lines.push(line));
    for (const event of [waits("for the account"), waits(""), ...planEvents]) display.event(event);
    // What a step does to the account is known when the plan is complete.
    const isStep = ({ type }: EngineEvent) => type === "step";
    const others = planEvents.filter((event) => !isStep(event));
    const expected = [...others.slice(0, -1), ...planEvents.filter(isStep), ...others.slice(-1)];
    expect(
      lines
        .join("")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(expected);
  });
});

describe("a run", () => {
  it("is one line per resource, then outputs, counts and duration; what the preview said is not said again", () => {
    const afterPreview = shown([...planEvents, ...updateEvents]).slice(shown(planEvents).length);
    expect(afterPreview).toBe(`
Update

 +  Webhook signed            created (0.3s)
 ~  BrandingEmail email-send  updated [~subject, ~content]

Outputs:
    - gone: true
    + id: "12"
    ~ logo: "https://a/1.png" → "https://a/2.png"

1 created, 1 updated, 1 unchanged. (4.2s)
`);
  });

  it("has the rows of its plan: explicit providers, and not the stack", () => {
    const steps = [{ ...stack, op: "create" as const }, changedProvider];
    const ends = { changes: { update: 1, create: 1 }, durationMs: 900 };
    const plan = [start(), ...steps.map((step) => planned(step)), end(ends)];
    const run = [start({ preview: false }), ...steps.map((step) => done(step, 1)), end({ ...ends, preview: false })];
    expect(shown(plan)).toContain(" ~   pulumi:providers:esign  firm  update\n       ~ apiKey: [secret] → [secret]\n");
    expect(shown(run)).toContain(" ~  pulumi:providers:esign firm  updated [~apiKey]\n");
    expect(shown([...plan, ...run])).not.toContain("shop-dev");
    expect(shown(run)).toContain("No changes to the account's resources. 0 resources up to date.");
  });

  it("names an argument that may be secret where the engine's log says no difference; others once", () => {
    const bare = (more: Partial<StepInfo>) => ({ ...webhookUpdate, ...more, effect: "update", writes: 1 }) as const;
    const rows = (step: StepInfo, fields: FieldEffect[]) =>
      shown([start(), planned({ ...step, fields } as StepInfo), end()])
        .split("\n")
        .filter((line) => /~ /.test(line));
    const hidden = "       ~ url: [secret] → [secret]";
    expect(rows(bare({}), [{ field: "url", secret: true }])).toEqual([" ~   Webhook  hook  update", hidden]);
    const type = changed("type", "all", "add-user");
    const both = [
      { field: "type", live: "all", declared: "add-user" },
      { field: "url", secret: true },
    ];
    expect(rows(bare({ diffs: [type] }), both).slice(1)).toEqual(['       ~ type: "all" → "add-user"', hidden]);
    expect(
      rows(bare({ diffs: [changed("url", "[secret]", "[secret]")] }), [{ field: "url", secret: true }]).slice(1),
    ).toEqual([hidden]);
    const run = [
      start({ preview: false }),
      done({ ...bare({}), fields: [{ field: "url", secret: true }] } as StepInfo, 1),
    ];
    expect(shown(run)).toContain(" ~  Webhook hook  updated [~url]\n");
  });

  it("says of a value that is absent why: it may be secret, is not known yet, or the account has none", () => {
    const rows = (effect: EffectName, ...fields: FieldEffect[]) =>
      shown([start(), planned({ ...webhookUpdate, effect, writes: 1, fields } as StepInfo), end()])
        .split("\n")
        .filter((line) => /^ {7}/.test(line));
    const secret: FieldEffect = { field: "url", secret: true };
    const unknown = { field: "colour", live: "#112233" };
    expect(rows("adopt-and-update", secret, unknown, { field: "type" })).toEqual([
      "       ~ url: [secret] → [secret]",
      '       ~ colour: "#112233" → [unknown]',
      "       + type: [unknown]",
    ]);
    expect(rows("conflict", secret, unknown, { field: "type", recorded: "all", declared: "sent" })).toEqual([
      ...["       ! url:", "           state     [secret]", "           account   [secret]"],
      "           declared  [secret]",
      ...["       ! colour:", '           account   "#112233"', "           declared  [unknown]"],
      ...["       ! type:", '           state     "all"', "           account   (no value)"],
      '           declared  "sent"',
    ]);
    // Only of secret ones the engine's log says no difference.
    expect(rows("update", { field: "subject" })).toEqual(rows("update"));
  });

  it("keeps a row on one line where the reason is an error of two", () => {
    const detail = "it is the last of its kind (ESIGN1043).\n  Make another one first,\nthen try again";
    const plan = shown([
      start(),
      planned({ ...webhookUpdate, effect: "blocked", detail } as StepInfo),
      end({ ok: false }),
    ]);
    expect(plan).toContain(
      "hook  blocked  it is the last of its kind (ESIGN1043). Make another one first, then try again\n",
    );
  });

  it("names a resource once, whoever has named it before", () => {
    const ofWebhook = (message: string) =>
      shown([start(), error(newWebhook.urn, message), end({ ok: false })]).match(/error: .*/)?.[0];
    for (const before of ["", 'pulumi-nodejs:dynamic/esign:Webhook resource "signed" has a problem: '])
      expect(ofWebhook(`${before}Webhook "signed": cannot read: no such ID`)).toBe(
        'error: Webhook "signed": cannot read: no such ID',
      );
    expect(ofWebhook("the engine says why")).toBe('error: Webhook "signed": the engine says why');
  });

  it("shows every line that the program prints, equal ones too; and in the run what the preview has not said", () => {
    const list = JSON.stringify([{ a: 1 }, { a: 1 }], undefined, 2);
    const lines = (text: string) => [...text.matchAll(/^ {2}│ (.*)$/gm)].map(([, line]) => line).join("\n");
    const plan = planPrinting(...list.split("\n"));
    expect(lines(shown(plan))).toBe(list);
    expect(lines(shown([...plan, ...updatePrinting(...list.split("\n"))]))).toBe(list);
    const more = `${list}\n  {\nmade`;
    expect(lines(shown([...plan, ...updatePrinting(...more.split("\n"))]))).toBe(more);
  });

  it("says that a preview that is interrupted has changed nothing", () => {
    const preview = shown([start(), end({ ok: false, cancelled: true })]);
    expect(preview).toContain("Preview cancelled. Nothing was changed.");
  });

  it("says what is in flight when it is stopped, and gathers errors at the end", () => {
    const message = "webhooks.create: POST /v1/webhooks was answered 400: the URL cannot be reached (code 10309)";
    const events: EngineEvent[] = [
      start({ preview: false }),
      started(newWebhook),
      { type: "cancelling", inFlight: 1 },
      failed(newWebhook, 12_300),
      error(newWebhook.urn, message),
      end({ preview: false, ok: false, cancelled: true, changes: {}, durationMs: 62_000 }),
    ];
    expect(shown(events)).toBe(`
Update  shop/dev  built-in engine

Cancelling: waiting for 1 operation in progress. Press Ctrl-C again to abort without waiting.
    creating Webhook signed
 ✗  Webhook signed  failed to create (12s)

error: Webhook "signed": ${message}

Update cancelled. Completed changes are saved.
1 failed. (1m02s)
`);
  });

  it("says once what is reported under a resource and again under one of its name", () => {
    const urn = "pulumi-nodejs:dynamic/esign:Webhook::signed";
    const said = shown([
      start({ preview: false }),
      error(`urn:pulumi:dev::shop::esign:index:Account$${urn}`, "refused"),
      error(`urn:pulumi:dev::shop::${urn}`, "refused"),
      error(`urn:pulumi:dev::shop::${urn}`, "something else"),
      end({ preview: false, ok: false }),
    ]);
    expect(said.match(/refused/g)).toHaveLength(1);
    expect(said).toContain('error: Webhook "signed": something else\n');
    expect(said).not.toContain('""');
  });

  it("colours operations where colours are wanted", () => {
    const out = shown(planEvents, { colours: pc.createColors(true) });
    expect(out).toContain(" \u001b[32m+ \u001b[39m  Webhook        signed      \u001b[32mcreate\u001b[39m");
    expect(out).toContain('\u001b[31m"Please sign"\u001b[39m → \u001b[32m"Your signature, please"\u001b[39m');
  });
});

/** A terminal that knows what the display uses: cursor up, clear line, clear below. */
class Screen {
  readonly lines: string[] = [""];
  row = 0;
  /** True when text was cleared before it was overwritten: what the eye sees as flicker. */
  flickered = false;

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is a terminal
    for (const [part] of text.matchAll(/\u001b\[[?\d;]*[A-Za-z]|\r|\n|[^\u001b\r\n]+/g)) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this is a terminal
      const up = /^\u001b\[(\d+)A$/.exec(part);
      if (up) this.row -= Number(up[1]);
      else if (part === "\n") {
        this.row++;
        this.lines[this.row] ??= "";
      } else if (part === "\u001b[J") this.lines.splice(this.row, Number.POSITIVE_INFINITY, "");
      else if (part === "\u001b[2K") this.flickered = true;
      else if (!part.startsWith("\u001b") && part !== "\r") this.lines[this.row] = part;
    }
    if (this.row < 0) throw new Error("moved above the top");
  }
}

describe("a terminal", () => {
  const open = (columns: number, now = () => 0) => {
    const screen = new Screen();
    const write = (text: string) => screen.write(text);
    const display = createDisplay({
      write,
      colours: plain,
      engine: "built-in engine",
      live: true,
      columns: () => columns,
      now,
    });
    return { screen, display, lines: () => screen.lines.filter(Boolean) };
  };

  it("keeps finished lines and repaints the running ones below them, one write a frame", () => {
    let clock = 0;
    const { screen, display, lines } = open(80, () => clock);
    display.event(start({ preview: false }));
    display.event(started(newWebhook));
    clock = 1500;
    display.event(started(subjectChange));
    clock = 2000;
    // Anything that is printed repaints the running lines as well.
    display.event(prints("hello"));
    expect(lines()).toEqual([
      "Update  shop/dev  built-in engine",
      "  │ hello",
      "⠋ Update: 0 done, 2 running, 2.0s",
      " +  Webhook signed            creating 2.0s",
      " ~  BrandingEmail email-send  updating 0.5s",
    ]);
    display.event(done(newWebhook, 310));
    expect(lines()).toEqual([
      "Update  shop/dev  built-in engine",
      "  │ hello",
      " +  Webhook signed            created (0.3s)",
      "⠋ Update: 1 done, 1 running, 2.0s",
      " ~  BrandingEmail email-send  updating 0.5s",
    ]);
    for (const event of [done(subjectChange, 95), end({ preview: false })]) display.event(event);
    display.close();
    expect(lines().join("\n")).not.toMatch(/running|updating/);
    expect(lines().join("\n")).toContain("1 created, 1 updated. (4.2s)");
    expect(screen.flickered).toBe(false);
  });

  it.each([
    ["something else happens", started(newWebhook)],
    ["it has ended", waits("")],
  ])("has a row for what is waited for until %s", (_, next) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let clock = 0;
    const { display, lines } = open(80, () => clock);
    for (const event of [start({ preview: false }), waits("no response\nfor 2 s")]) display.event(event);
    clock = 1500;
    vi.advanceTimersByTime(100);
    expect(lines()).toContain("  │ 1.5s ago: no response for 2 s");
    display.event(next);
    vi.advanceTimersByTime(100);
    expect(lines().join()).not.toContain("no response");
    display.close();
  });

  it("has what is waited for before a run as a moving line, which goes when that has ended", () => {
    const { display, lines } = open(80, () => 0);
    const before = lines();
    display.event(waits("no response for 2 s"));
    expect(lines()).toContain("  │ 0.0s ago: no response for 2 s");
    display.event(waits(""));
    expect(lines()).toEqual(before);
    display.close();
  });

  it("finds its moving lines again when they were broken by making it narrower", () => {
    let columns = 80;
    const out: string[] = [];
    const region = new LiveRegion(
      (text) => void out.push(text),
      () => columns,
    );
    region.paint([], ["x".repeat(70), "short"]);
    columns = 40;
    region.paint(["stays"], []);
    expect(out.at(-1)).toContain("\u001b[3A");
  });

  it.each([
    ["n".repeat(100), 60, /^ \+ {2}Webhook n+… {2}creating 0\.0s$/, 60],
    ["名前".repeat(20), 30, /^ \+ {2}Webhook … {3}creating 0\.0s$/, 30],
  ])("keeps what happens visible where a name (%s) is too long for a line", (name, columns, row) => {
    const { display, lines } = open(columns);
    for (const event of [start({ preview: false }), started({ ...newWebhook, name }), prints("x")])
      display.event(event);
    const moving = lines().slice(lines().indexOf("  │ x") + 1);
    display.close();
    expect(moving).toEqual([
      columns < 40 ? "⠋ Update: 0 done, 1 running,…" : "⠋ Update: 0 done, 1 running, 0.0s",
      expect.stringMatching(row),
    ]);
    expect(truncate("名前名前", 5)).toBe("名前…");
  });
});

describe("values", () => {
  it("read well, long ones on several lines", () => {
    expect(valueLines("a\u0007b")).toEqual(['"a\\u0007b"']);
    expect(valueLines("a\nb\n")).toEqual(["|", "    a", "    b"]);
    expect(valueLines([1, "two", null])).toEqual(['[1,"two",null]']);
    expect(valueLines({ a: { b: [{ c: true }] } })).toEqual(["a:", "    b:", "        [0]:", "            c: true"]);
    expect(valueLines("[secret]")).toEqual(["[secret]"]);
    expect(valueLines(["[secret]", "[unknown]", "x"])).toEqual([`[[secret],[unknown],"x"]`]);
  });

  it("of long texts are cut unless all was asked for", () => {
    const text = (word: string) => Array.from({ length: 50 }, (_, i) => `${word} ${i}`).join("\n");
    const diff = changed("content", text("a"), text("b"));
    expect(propertyLines(diff, plain, { limit: 10 })).toHaveLength(12);
    expect(propertyLines(diff, plain, { limit: 10 }).at(-1)).toBe("    … 90 more lines (--diff shows all)");
    expect(propertyLines(diff, plain, { limit: Number.POSITIVE_INFINITY })).toHaveLength(101);
  });

  it("never move the cursor", () => {
    const evil = "\u001b[2Jgone\u001b]0;title\u0007 \u001b[31mred\u001b[0m\r\nnext\u0008";
    expect(clean(evil, false)).toBe("gone red\nnext");
    expect(clean(evil, true)).toBe("gone \u001b[31mred\u001b[0m\nnext");
    const line = propertyLines({ path: evil, kind: "add", replaces: false, after: { [evil]: evil } }, plain, {
      limit: 9,
    }).join("\n");
    expect(line).not.toContain("\u001b");
  });

  it("of outputs are compared with those before", () => {
    expect(changeLines({ a: 1, b: { c: 2 } }, { a: 1, d: "x" }, plain, false)).toEqual([
      "  a: 1",
      "+ b:",
      "      c: 2",
      '- d: "x"',
    ]);
    expect(changeLines({ a: 1 }, { a: 1 }, plain, true)).toEqual([]);
    const [now, before] = [{ times: { a: "1", b: "2", c: { d: 4 } } }, { times: { a: "1", b: "3", c: { d: 5 } } }];
    expect(changeLines(now, before, plain, false)).toEqual([
      "~ times:",
      '    ~ b: "3" → "2"',
      "    ~ c:",
      "        ~ d: 5 → 4",
    ]);
  });

  it("of lists are compared item by item: one that is new changes none after it", () => {
    const tenant = (name: string, more: object = {}) => ({ name, email: `office@${name}.example`, ...more });
    const lines = (before: unknown[], after: unknown[], limit = 20) =>
      propertyLines(changed("tenants", before, after), plain, { limit });
    const [a, b, c] = [tenant("alder"), tenant("birch"), tenant("cedar")];
    expect(lines([a, b, c], [tenant("aspen"), a, b, tenant("cedar", { open: 3 })])).toEqual([
      "~ tenants:",
      "    + [0]:",
      '          name: "aspen"',
      '          email: "office@aspen.example"',
      "    ~ [3]:",
      "        + open: 3",
    ]);
    expect(lines([a, b, c], [b]).filter((line) => /[-+~] /.test(line))).toEqual([
      "~ tenants:",
      "    - [0]:",
      "    - [2]:",
    ]);
    expect(lines([a, b], [c, tenant("dogwood"), b]).filter((line) => /[-+~] /.test(line))).toEqual([
      "~ tenants:",
      "    - [0]:",
      "    + [0]:",
      "    + [1]:",
    ]);
    const many = (word: string) => Array.from({ length: 30 }, (_, i) => tenant(`${word}${i}`));
    const all = lines(many("x"), many("y"), 10);
    expect([all.length, all.at(-1)]).toEqual([12, "    … 80 more lines (--diff shows all)"]);
    // Where what differs is a secret, both are shown.
    expect(lines([tenant("elm", { key: "[secret]" })], [tenant("elm", { key: "[secret]" })])).toContain(
      "          key: [secret]",
    );
  });

  it("of time are short", () => {
    const durations = [0, 940, 9_999, 10_000, 59_600, 61_000, 3_600_000].map(duration);
    expect(durations.join(" ")).toBe("0.0s 0.9s 10.0s 10s 1m00s 1m01s 60m00s");
  });
});

describe("what happens to the object, not to the state, is said", () => {
  const run = (operation: "refresh" | "destroy", ...events: EngineEvent[]) =>
    shown([start({ operation, preview: false }), ...events]);

  it("gone, when a refresh does not find it", () => {
    const gone = done({ ...newWebhook, op: "refresh", result: "delete", diffs: [] });
    const text = run("refresh", gone, done(sameBranding), end({ operation: "refresh", preview: false }));
    expect(text).toMatch(/ \? +Webhook signed +not found/);
    expect(text).toContain("1 not found, 1 unchanged");
  });

  it("not refreshed, when it cannot be read", () => {
    const text = run("refresh", failed({ ...newWebhook, op: "refresh", diffs: [] }));
    expect(text).toMatch(/Webhook signed +failed to refresh/);
  });

  it("released, when it is retained; the outputs that go with a stack are not listed", () => {
    const text = run(
      "destroy",
      done({ ...newWebhook, op: "delete", retained: true }),
      done({ ...subjectChange, op: "delete" }),
      outputs({}, { logo: "x" }),
      end({ operation: "destroy", preview: false, changes: { delete: 2 } }),
    );
    expect(text).toMatch(/○ +Webhook signed +released/);
    expect(text).toContain("1 deleted, 1 released.");
    expect(text).not.toContain("Outputs");
  });
});

describe("without a terminal", () => {
  it("says every 20 s how far the run is, also when nothing is in flight", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    try {
      const out: string[] = [];
      const display = createDisplay({ write: (text) => void out.push(text), colours: plain, engine: "e", live: false });
      display.event(start({ preview: false }));
      vi.advanceTimersByTime(20_000);
      display.event(started(newWebhook));
      vi.advanceTimersByTime(25_000);
      display.close();
      vi.advanceTimersByTime(60_000);
      expect(out.join("").match(/….*/g)).toEqual([
        "… 0 done, 0 running, 20s",
        expect.stringMatching(/^… 0 done, 1 running, 40s: \S+ \S+ 20s$/),
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
