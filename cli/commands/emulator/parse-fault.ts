/** Parses a fault of the emulator from a command-line option. */
import { InvalidArgumentError } from "commander";

/** `cut-after,probability=0.3,method=POST`, or the fault as JSON. */
export function parseFault(text: string, before: object[] = []): object[] {
  if (text.startsWith("{")) {
    try {
      return [...before, JSON.parse(text)];
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  }
  const [kind, ...members] = text.split(",");
  const entries = members.map((member) => {
    const at = member.indexOf("=");
    if (at < 1) throw new InvalidArgumentError(`"${member}" must be of the form member=value.`);
    const [name, value] = [member.slice(0, at), member.slice(at + 1)];
    const isText = name === "message" || !/^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(value);
    return [name, isText ? value : JSON.parse(value)];
  });
  return [...before, { kind, ...Object.fromEntries(entries) }];
}
