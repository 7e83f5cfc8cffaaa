/** What programs, providers and the engine say: lines at once, warnings and errors gathered by resource for the end. */
import type { Colors } from "picocolors/types";
import type { EngineEvent } from "../../engine/events";
import { shortType } from "./steps";
import { clean } from "./text";

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;

/** How many different lines of a run are remembered: a program may print without end. */
const mostRemembered = 10_000;

/** Serves a preview and the run after it: what was said once is not said again. */
export class Diagnostics {
  /** What the run before this one said, and how often. */
  private before = new Map<string, number>();
  private said = new Map<string, number>();
  private gathered: Diagnostic[] = [];

  constructor(
    private readonly colours: Colors,
    private readonly verbose: boolean,
  ) {}

  /** Another run begins. */
  begin(): void {
    [this.before, this.said, this.gathered] = [this.said, new Map(), []];
  }

  /** The lines to show now: none for what is shown at the end, or was said before. */
  add(event: Diagnostic): string[] {
    if (event.severity === "debug" && !this.verbose) return [];
    const key = `${event.severity}\n${event.urn ?? ""}\n${event.message}`;
    const count = (this.said.get(key) ?? 0) + 1;
    if (count > 1 || this.said.size < mostRemembered) this.said.set(key, count);
    // The program runs twice, for the preview and for the run: what it says counts once. Errors are never withheld. Of a list
    // that it prints, many lines may be the same: they all count.
    if (event.severity !== "error" && count <= (this.before.get(key) ?? 0)) return [];
    if (event.severity === "warning" && count > 1) return [];
    // A failed registration is told under its URN, and as the CLI does it once more, under type and name only.
    if (event.urn?.startsWith("urn:") === false && this.gathered.some(({ message }) => message === event.message))
      return [];
    if (event.severity === "warning" || event.severity === "error") {
      this.gathered.push(event);
      return [];
    }
    return this.textLines(event.message).map((line) => this.colours.dim("  │ ") + line);
  }

  /** Warnings and errors, by resource, in the order in which they came. */
  lines(): string[] {
    if (this.gathered.length === 0) return [];
    const byPlace = new Map<string, Diagnostic[]>();
    for (const event of this.gathered) byPlace.set(event.urn ?? "", [...(byPlace.get(event.urn ?? "") ?? []), event]);
    const lines = [this.colours.bold("Diagnostics:")];
    for (const [urn, events] of byPlace) {
      const [type, ...name] = urn.split("::").slice(urn.startsWith("urn:") ? 2 : 0);
      if (urn !== "") lines.push(`  ${shortType(type?.split("$").at(-1) ?? "")} (${clean(name.join("::"), false)}):`);
      for (const event of events) {
        const paint = event.severity === "error" ? this.colours.red : this.colours.yellow;
        const [first = "", ...rest] = this.textLines(event.message);
        const indent = urn === "" ? "  " : "    ";
        lines.push(`${indent}${paint(`${event.severity}:`)} ${first}`, ...rest.map((line) => `${indent}  ${line}`));
      }
    }
    return [...lines, ""];
  }

  private textLines(message: string): string[] {
    return clean(message, this.colours.isColorSupported).trimEnd().split("\n");
  }
}
