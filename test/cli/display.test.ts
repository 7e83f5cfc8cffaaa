import pc from "picocolors";
import { describe, expect, it, vi } from "vitest";
import { createDisplay, type DisplayOptions, jsonDisplay } from "../../cli/display/display";
import { LiveRegion } from "../../cli/display/live-region";
import { clean, duration, truncate } from "../../cli/display/text";
import { changeLines, propertyLines, valueLines } from "../../cli/display/values";
import type { EngineEvent, RunResult, StepInfo } from "../../engine/events";
import {
  failedEvents,
  newWebhook,
  planEvents,
  quietEvents,
  sameBranding,
  subjectChange,
  updateEvents,
} from "./display-events";

const plain = pc.createColors(false);

function shown(events: EngineEvent[], options: Partial<DisplayOptions> = {}): string {
  let out = "";
  const write = (text: string) => {
    out += text;
  };
  const display = createDisplay({ write, colours: plain, live: false, now: () => 0, ...options });
  for (const event of events) display.event(event);
  display.close();
  return out;
}

describe("a plan", () => {
  it("is a tree of what changes, with the properties that change", () => {
    expect(shown(planEvents)).toBe(`
Preview  shop/dev  built-in engine

  │ loading 7 e-mails

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
    expect(shown(quietEvents)).toBe(`
Preview  shop/dev  built-in engine

No changes. 1 resource up to date. (0.9s)
`);
  });

  it("hides bookkeeping, and a refresh that found nothing", () => {
    const diff = (path: string) => ({ path, kind: "update" as const, replaces: false, before: "a", after: "b" });
    const refresh = (diffs: ReturnType<typeof diff>[]): EngineEvent => ({
      type: "step",
      status: "planned",
      step: { ...sameBranding, op: "refresh", diffs },
    });
    const out = (diffs: ReturnType<typeof diff>[]) => shown([planEvents[0]!, refresh(diffs), planEvents.at(-1)!]);
    expect(out([diff("__esign"), diff("url")])).toContain('↓   Branding  branding  refresh\n       ~ url: "a" → "b"\n');
    expect(out([diff("__esign"), diff("url")])).not.toContain("__esign");
    expect(out([diff("__esign")])).not.toContain("Branding");
  });

  it("shows options that change although nothing else does, and does not call that nothing", () => {
    const step = {
      ...sameBranding,
      options: [{ path: "protect", kind: "update" as const, replaces: false, before: false, after: true }],
    };
    const [start, ...rest] = quietEvents as [EngineEvent, ...EngineEvent[]];
    const planned: EngineEvent = { type: "step", status: "planned", step };
    const out = shown([start, planned, ...rest.slice(1)]);
    expect(out).toContain("branding  change options\n       ~ protect (option): false → true\n");
    expect(out).toContain("1 to change options. (0.9s)\n");
    const done = shown([{ ...start, preview: false } as EngineEvent, { ...planned, status: "done" }]);
    expect(done).toMatch(/\* {2}Branding branding +options changed \[~protect \(option\)\]/);
  });

  it("shows the three steps of a replacement as one row", () => {
    const part = (op: "create-replacement" | "replace" | "delete-replaced"): EngineEvent => ({
      type: "step",
      status: "planned",
      step: { ...newWebhook, op, ...(op === "create-replacement" ? { diffs: subjectChange.diffs! } : {}) },
    });
    const events = [planEvents[0]!, part("create-replacement"), part("replace"), part("delete-replaced")];
    const out = shown([...events, planEvents.at(-1)!]);
    expect(out.match(/Webhook/g)).toHaveLength(1);
    expect(out).toContain("signed  replace  signed-envelope-complete\n       ~ subject:");
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

  it("shows every line that the program prints, equal ones too; and in the run what the preview has not said", () => {
    const printing = (events: EngineEvent[], text: string) => [
      events[0]!,
      ...text
        .split("\n")
        .map((message): EngineEvent => ({ type: "diagnostic", severity: "info", message, source: "program" })),
      ...events.slice(2),
    ];
    const list = JSON.stringify([{ a: 1 }, { a: 1 }], undefined, 2);
    const lines = (text: string) => [...text.matchAll(/^ {2}│ (.*)$/gm)].map(([, line]) => line).join("\n");
    const plan = printing(planEvents, list);
    expect(lines(shown(plan))).toBe(list);
    expect(lines(shown([...plan, ...printing(updateEvents, list)]))).toBe(list);
    expect(lines(shown([...plan, ...printing(updateEvents, `${list}\n  {\nmade`)]))).toBe(`${list}\n  {\nmade`);
  });

  it("says that a preview that is interrupted has changed nothing", () => {
    const preview = failedEvents.flatMap((event): EngineEvent[] => {
      if (event.type === "start") return [{ ...event, preview: true }];
      return event.type === "end" ? [{ ...event, result: { ...event.result, preview: true } }] : [];
    });
    expect(shown(preview)).toContain("Preview cancelled. Nothing was changed.");
  });

  it("says what is in flight when it is stopped, and gathers errors at the end", () => {
    expect(shown(failedEvents)).toBe(`
Update  shop/dev  built-in engine

Cancelling: waiting for 1 operation in progress. Press Ctrl-C again to abort without waiting.
    creating Webhook signed
 ✗  Webhook signed  failed to create (12s)

error: Webhook "signed": webhooks.create: POST /v1/webhooks was answered 400: the URL cannot be reached (code 10309)

Update cancelled. Completed changes are saved.
1 failed. (1m02s)
`);
  });

  it("says once what is reported under a resource and again under its type and name", () => {
    const urn = "pulumi-nodejs:dynamic/esign:Webhook::signed";
    const error = (urn: string, message: string): EngineEvent => ({
      type: "diagnostic",
      severity: "error",
      source: "engine",
      message,
      urn,
    });
    const [begin, ...rest] = failedEvents.filter((event) => event.type !== "diagnostic");
    const said = shown([
      begin!,
      error(`urn:pulumi:dev::shop::${urn}`, "refused"),
      error(urn, "refused"),
      error(urn, "something else"),
      ...rest,
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
  it("keeps finished lines and repaints the running ones below them, one write a frame", () => {
    const screen = new Screen();
    let clock = 0;
    const display = createDisplay({
      write: (text) => screen.write(text),
      colours: plain,
      live: true,
      columns: () => 80,
      now: () => clock,
    });
    const [start, , , startWebhook, startEmail, doneWebhook, doneEmail, outputs, end] = updateEvents;
    display.event(start!);
    display.event(startWebhook!);
    clock = 1500;
    display.event(startEmail!);
    clock = 2000;
    // Anything that is printed repaints the running lines as well.
    display.event({ type: "diagnostic", severity: "info", message: "hello", source: "program" });
    expect(screen.lines.filter(Boolean)).toEqual([
      "Update  shop/dev  built-in engine",
      "  │ hello",
      "⠋ Update: 0 done, 2 running, 2.0s",
      " +  Webhook signed            creating 2.0s",
      " ~  BrandingEmail email-send  updating 0.5s",
    ]);
    display.event(doneWebhook!);
    expect(screen.lines.filter(Boolean)).toEqual([
      "Update  shop/dev  built-in engine",
      "  │ hello",
      " +  Webhook signed            created (0.3s)",
      "⠋ Update: 1 done, 1 running, 2.0s",
      " ~  BrandingEmail email-send  updating 0.5s",
    ]);
    for (const event of [doneEmail!, outputs!, end!]) display.event(event);
    display.close();
    expect(screen.lines.join("\n")).not.toMatch(/running|updating/);
    expect(screen.lines.join("\n")).toContain("1 created, 1 updated. (4.2s)");
    expect(screen.flickered).toBe(false);
  });

  it("finds its moving lines again when they were broken by making it narrower", () => {
    let columns = 80;
    let out = "";
    const region = new LiveRegion(
      (text) => {
        out += text;
      },
      () => columns,
    );
    region.paint([], ["x".repeat(70), "short"]);
    columns = 40;
    out = "";
    region.paint(["stays"], []);
    expect(out).toContain("\u001b[3A");
  });

  it("keeps what happens visible where a name is too long for it", () => {
    const long = { ...newWebhook, name: "n".repeat(100) };
    const line: EngineEvent = { type: "diagnostic", severity: "info", message: "hello", source: "program" };
    const live = shown([updateEvents[0]!, { type: "step", status: "started", step: long }, line], {
      live: true,
      columns: () => 60,
      now: () => 0,
    });
    expect(live).toContain("…  creating 0.0s");
  });

  it("never makes a moving line longer than the terminal", () => {
    const screen = new Screen();
    const display = createDisplay({
      write: (text) => screen.write(text),
      colours: plain,
      live: true,
      columns: () => 30,
      now: () => 0,
    });
    display.event(updateEvents[0]!);
    const name = "名前".repeat(20);
    display.event({ type: "step", status: "started", step: { ...newWebhook, name } });
    display.event({ type: "diagnostic", severity: "info", message: "x", source: "program" });
    const moving = screen.lines.slice(screen.lines.indexOf("  │ x") + 1).filter(Boolean);
    display.close();
    expect(moving).toEqual(["⠋ Update: 0 done, 1 running,…", " +  Webhook …   creating 0.0s"]);
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
    const diff = { path: "content", kind: "update", replaces: false, before: text("a"), after: text("b") } as const;
    expect(propertyLines(diff, plain, { limit: 10 })).toHaveLength(12);
    expect(propertyLines(diff, plain, { limit: 10 }).at(-1)).toBe("    … 90 more lines (all with --diff)");
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

  it("of time are short", () => {
    expect([0, 940, 9_999, 10_000, 59_600, 61_000, 3_600_000].map(duration)).toEqual([
      "0.0s",
      "0.9s",
      "10.0s",
      "10s",
      "1m00s",
      "1m01s",
      "60m00s",
    ]);
  });
});

it("names the SDK's version, and the newest one that is tested where it is newer", () => {
  const [start] = planEvents as [EngineEvent];
  expect(shown([start])).not.toContain("@pulumi/pulumi");
  expect(shown([start], { verbose: true })).toContain("built-in engine\n\n@pulumi/pulumi 3.248.0\n");
  expect(shown([{ ...start, sdkTested: "3.240" } as EngineEvent])).toContain("3.248.0 (tested up to 3.240)\n");
});

it("names the account that the run goes to", () => {
  const [start] = planEvents as [EngineEvent];
  const account = "https://sign.example.com key 1c8f…ee12";
  expect(shown([start], { account })).toContain(`Preview  shop/dev → ${account}  built-in engine\n`);
});

it("groups the same change of several resources, and has no summary of a preview that failed", () => {
  const step = (name: string): EngineEvent => ({
    type: "step",
    status: "planned",
    step: { ...subjectChange, name, urn: `${subjectChange.urn}-${name}`, diffs: subjectChange.diffs!.slice(1) },
  });
  const [start] = planEvents as [EngineEvent];
  const text = shown([start, step("a"), step("b"), planEvents.at(-1)!]);
  expect(text.match(/~ content: \+1 -1 lines \(same in 2\)/g)).toHaveLength(2);
  const end = planEvents.at(-1) as Extract<EngineEvent, { type: "end" }>;
  const failed = shown([start, { ...end, result: { ...end.result, ok: false, changes: { same: 2 } } }]);
  expect(failed).toContain("Preview failed.");
  expect(failed).not.toContain("unchanged");
});

it("writes one JSON event per line for machines", () => {
  let out = "";
  const display = jsonDisplay((text) => {
    out += text;
  });
  for (const event of planEvents) display.event(event);
  const lines = out.trimEnd().split("\n");
  // What a step does to the account is known when the plan is complete.
  const isStep = ({ type }: EngineEvent) => type === "step";
  const others = planEvents.filter((event) => !isStep(event));
  const expected = [...others.slice(0, -1), ...planEvents.filter(isStep), ...others.slice(-1)];
  expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
});

describe("what happens to the object, not to the state, is said", () => {
  const end = (operation: "refresh" | "destroy", changes: RunResult["changes"]): EngineEvent => ({
    type: "end",
    result: {
      operation,
      preview: false,
      ok: true,
      cancelled: false,
      changes,
      durationMs: 1,
      outputs: {},
      stateWrites: 1,
    },
  });
  const start = (operation: "refresh" | "destroy"): EngineEvent => ({
    type: "start",
    operation,
    preview: false,
    project: "shop",
    stack: "dev",
    sdkVersion: "3.248.0",
  });

  it("gone, when a refresh does not find it", () => {
    const step: StepInfo = { ...newWebhook, op: "refresh", result: "delete", diffs: [] };
    const text = shown([
      start("refresh"),
      { type: "step", status: "done", step },
      { type: "step", status: "done", step: sameBranding },
      end("refresh", { delete: 1, same: 1 }),
    ]);
    expect(text).toMatch(/ \? +Webhook signed +not found/);
    expect(text).toContain("1 not found, 1 unchanged");
  });

  it("not refreshed, when it cannot be read", () => {
    const text = shown([
      start("refresh"),
      { type: "step", status: "failed", step: { ...newWebhook, op: "refresh", diffs: [] } },
      end("refresh", {}),
    ]);
    expect(text).toMatch(/Webhook signed +failed to refresh/);
  });

  it("released, when it is retained; the outputs that go with a stack are not listed", () => {
    const retained: StepInfo = { ...newWebhook, op: "delete", retained: true };
    const text = shown([
      start("destroy"),
      { type: "step", status: "done", step: retained },
      { type: "step", status: "done", step: { ...subjectChange, op: "delete" } },
      { type: "outputs", outputs: {}, before: { logo: "x" } },
      end("destroy", { delete: 2 }),
    ]);
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
      const display = createDisplay({ write: (text) => void out.push(text), colours: plain, live: false });
      const [start, ...rest] = updateEvents;
      display.event(start!);
      vi.advanceTimersByTime(20_000);
      display.event(rest.find((event) => event.type === "step" && event.status === "started")!);
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
