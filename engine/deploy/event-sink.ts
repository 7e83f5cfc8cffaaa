/**
 * The events of a run, filtered: without secrets, without stack frames of packages, and without duplicate failures.
 */
import type { EngineEvent } from "../events";
import { USE_CLI_HINT } from "../monitor/goal-decoder";
import type { Path } from "../resource/property-path";
import { toPrintableMap, type ValueMap } from "../resource/property-value";
import { SecretFilter } from "../secrets/secret-filter";
import { userFramesOnly } from "../stack-traces";
import { DuplicateErrorFilter } from "./duplicate-error-filter";

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;
type StepEvent = Extract<EngineEvent, { type: "step" }>;

interface EventSinkOptions {
  onEvent?: ((event: EngineEvent) => void) | undefined;
  /** Shows values of secrets; they remain hidden in the output of programs and providers. */
  showSecrets: boolean;
  /** A hint to append to a message of the program; empty for most. */
  hint: (message: string) => string;
}

const isEmptyLine = ({ severity, message, ephemeral }: Diagnostic): boolean =>
  severity === "info" && message === "" && !ephemeral;

export class EventSink {
  /** The secrets that are hidden in every text. */
  readonly #secrets = new SecretFilter();
  /** The secrets of the configuration, which are also hidden in values that are not marked as secret. */
  readonly #configSecrets = new SecretFilter();
  readonly #duplicateErrors = new DuplicateErrorFilter();

  readonly #options: EventSinkOptions;

  constructor(options: EventSinkOptions) {
    this.#options = options;
  }

  /** Hides the secrets of these values from now on. */
  addSecrets(values: ValueMap | undefined): void {
    this.#secrets.add(values);
  }

  /** Hides a text from now on. */
  addSecretText(text: string): void {
    this.#secrets.addText(text);
  }

  /** Hides a text of the configuration from now on, in values as well. */
  addConfigSecret(text: string): void {
    this.#secrets.addLines(text);
    this.#configSecrets.addText(text);
  }

  /** Never hides the text at this path, although it is part of a secret. */
  allow(values: ValueMap | undefined, path: Path): void {
    this.#secrets.allow(values, path);
  }

  readonly emit = (event: EngineEvent): void => {
    if (event.type === "diagnostic" && event.severity === "error") this.#duplicateErrors.addReported(event.message);
    const redacted =
      event.type === "diagnostic"
        ? this.#redactDiagnostic(event)
        : event.type === "step"
          ? this.#redactStep(event)
          : event;
    // Lines of a stack trace in packages and empty lines are dropped.
    if (redacted.type === "diagnostic" && isEmptyLine(redacted)) return;
    this.#options.onEvent?.(redacted);
  };

  /** Emits a message about a resource, or about the operation. */
  diagnostic(severity: Diagnostic["severity"], message: string, urn = ""): void {
    this.emit({ type: "diagnostic", severity, message, source: "engine", ...(urn !== "" && { urn }) });
  }

  /** Emits what a program or a provider logs. */
  log(severity: Diagnostic["severity"], message: string, urn: string, ephemeral: boolean): void {
    this.emit({
      type: "diagnostic",
      severity,
      message,
      source: "program",
      ...(urn !== "" && { urn }),
      ...(ephemeral && { ephemeral }),
    });
  }

  /** Passes on what a program or a provider prints. */
  processOutput(source: "program" | "provider", line: string, stream: "stdout" | "stderr"): void {
    const stderr = stream === "stderr";
    const lines = source === "provider" && stderr ? this.#duplicateErrors.take(line) : [line];
    for (const each of lines) this.#line(source, each, stderr);
  }

  /** No more output will come: emits the lines that were held back and not reported otherwise. */
  close(): void {
    for (const line of this.#duplicateErrors.unreported()) this.#line("provider", line, true);
  }

  /** Values as they may be printed. */
  toPrintable(values: ValueMap): Record<string, unknown> {
    return this.#options.showSecrets
      ? toPrintableMap(values, true)
      : this.#configSecrets.redactDeep(toPrintableMap(values));
  }

  #line(source: "program" | "provider", message: string, stderr: boolean): void {
    this.emit({ type: "diagnostic", severity: "info", message, source, ...(stderr && { stderr }) });
  }

  #redactDiagnostic(event: Diagnostic): Diagnostic {
    const { source, message } = event;
    const hint = source === "program" ? this.#options.hint(message) : "";
    const text = source === "engine" ? message : withoutCli(userFramesOnly(message)) + hint;
    return { ...event, message: this.#secrets.redact(text) };
  }

  #redactStep(event: StepEvent): StepEvent {
    if (this.#options.showSecrets) return event;
    const { diffs, inputs, states } = event.step;
    const scrubbed = this.#configSecrets.redactDeep({
      ...(diffs && { diffs }),
      ...(inputs && { inputs }),
      ...(states && { states }),
    });
    return { ...event, step: { ...event.step, ...scrubbed } };
  }
}

/** The SDK's messages name the Pulumi CLI whatever the engine is; it may not even be installed. */
const withoutCli = (message: string): string =>
  message.replace(
    /The Pulumi CLI does not support (?:the )?([\w ]+?)(?: option)?\. Please update the Pulumi CLI\.?/g,
    (_, feature: string) => `the program uses ${feature}; ${USE_CLI_HINT}`,
  );
