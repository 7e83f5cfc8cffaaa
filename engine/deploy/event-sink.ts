/**
 * What a run tells: nothing that is secret, of stack traces only what is the user's, and no failure twice.
 *
 * Serves: the engine's events, on their way out.
 */
import type { EngineEvent } from "../events";
import type { Path } from "../resource/property-path";
import { redactMap, type ValueMap } from "../resource/property-value";
import { Scrubber } from "../secrets/secret-filter";
import { PrintedErrors } from "./provider-stderr";
import { withoutForeignFrames } from "./stack-traces";

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;
type Step = Extract<EngineEvent, { type: "step" }>;

export interface ReporterOptions {
  onEvent?: ((event: EngineEvent) => void) | undefined;
  /** Values of secrets are told, too; in lines of programs and providers they stay hidden. */
  showSecrets: boolean;
  /** What may be said to a message of the program besides; empty for most. */
  hint: (message: string) => string;
}

export class Reporter {
  /** What must not stand in any text. */
  private readonly secrets = new Scrubber();
  /** What the configuration keeps secret: hidden also in values, where it went without its mark. */
  private readonly configured = new Scrubber();
  private readonly printedErrors = new PrintedErrors();

  constructor(private readonly o: ReporterOptions) {}

  /** Hides what is secret in values from now on. */
  hide(values: ValueMap | undefined): void {
    this.secrets.add(values);
  }

  /** Hides a text from now on. */
  hideText(text: string): void {
    this.secrets.addText(text);
  }

  /** Hides a text of the configuration from now on, in values as well. */
  hideConfigured(text: string): void {
    this.secrets.addLines(text);
    this.configured.addText(text);
  }

  /** Never hides the text at a path of values, though what it is part of is secret. */
  spare(values: ValueMap | undefined, path: Path): void {
    this.secrets.spare(values, path);
  }

  readonly emit = (event: EngineEvent): void => {
    if (event.type === "diagnostic" && event.severity === "error") this.printedErrors.tell(event.message);
    const told =
      event.type === "diagnostic" ? this.diagnostic(event) : event.type === "step" ? this.step(event) : event;
    // A line of a stack trace that is not the user's is none at all, nor is an empty one.
    if (told.type === "diagnostic" && told.severity === "info" && told.message === "") return;
    this.o.onEvent?.(told);
  };

  /** Says something of the engine's own. */
  say(severity: Diagnostic["severity"], message: string, urn = ""): void {
    this.emit({ type: "diagnostic", severity, message, source: "engine", ...(urn !== "" && { urn }) });
  }

  /** Passes on what a program or a provider prints. */
  printed(source: "program" | "provider", line: string, stream: "stdout" | "stderr"): void {
    const stderr = stream === "stderr";
    if (source === "provider" && stderr && this.printedErrors.waits(line)) return;
    this.line(source, line, stderr);
  }

  /** Nothing more will be printed: what was held back and is no news, after all, is told. */
  close(): void {
    for (const line of this.printedErrors.rest()) this.line("provider", line, true);
  }

  /** Values as they may be printed. */
  printable(values: ValueMap): Record<string, unknown> {
    return this.o.showSecrets ? redactMap(values, true) : this.configured.scrubAll(redactMap(values));
  }

  private line(source: "program" | "provider", message: string, stderr: boolean): void {
    this.emit({ type: "diagnostic", severity: "info", message, source, ...(stderr && { stderr }) });
  }

  private diagnostic(event: Diagnostic): Diagnostic {
    const { source, message } = event;
    const hint = source === "program" ? this.o.hint(message) : "";
    const text = source === "engine" ? message : withoutForeignFrames(message) + hint;
    return { ...event, message: this.secrets.scrub(text) };
  }

  private step(event: Step): Step {
    if (this.o.showSecrets) return event;
    const { diffs, inputs } = event.step;
    const scrubbed = this.configured.scrubAll({ ...(diffs && { diffs }), ...(inputs && { inputs }) });
    return { ...event, step: { ...event.step, ...scrubbed } };
  }
}
