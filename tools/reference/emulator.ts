/** The emulator's settings, faults, refusals and control endpoints. */
import type { z } from "zod";
import { settings } from "../../emulator/domain/emulator-settings";
import { fault } from "../../emulator/domain/fault";
import { refusals } from "../../emulator/domain/strictness";
import { controls } from "../../emulator/pages/control-routes";
import { code, table } from "./markdown";
import { type Member, membersOfValue, membersWithin } from "./sources";

const file = "emulator/domain/emulator-settings.ts";
const faultFile = "emulator/domain/fault.ts";

const values = (schema: unknown): string[] => {
  const { def, options } = schema as { def: { innerType?: unknown; element?: unknown }; options?: readonly string[] };
  const inner = def.innerType ?? def.element;
  return inner ? values(inner) : [...(options ?? [])].filter((one) => typeof one === "string");
};

function describe(note: string, schema: unknown): string {
  const missing = values(schema).filter((value) => !note.includes(value));
  return missing.length === 0 ? note : `${note} Values: ${values(schema).map(code).join(", ")}.`.trim();
}

const withoutDefault = (note: string): [meaning: string, standard: string] => {
  const [, standard = ""] = / ?Default: ([^.]+)\./.exec(note) ?? [];
  return [note.replace(/ ?Default: [^.]+\./, ""), standard];
};

/** All settings; members of groups below them. */
export function emulatorSettings(): string {
  const shape = settings.shape as Record<string, z.ZodType>;
  const rows = membersOfValue(file, "shape").flatMap((member) => settingRows(member, shape));
  return table(["setting", "default", "meaning"], rows);
}

function settingRows({ name, note }: Member, shape: Record<string, z.ZodType>): string[][] {
  const [meaning, standard] = withoutDefault(describe(note, shape[name]!));
  const group = membersWithin(file, "shape", name);
  return [
    [code(name), standard, meaning],
    ...group.map((member) => {
      const [text, value] = withoutDefault(member.note);
      return [code(`${name}.${member.name}`), value, text];
    }),
  ];
}

const shared = ["matchers", "occurrence"];

/** Members that select requests, in every fault. */
export function faultMatchers(): string {
  const rows = shared.flatMap((name) => membersOfValue(faultFile, name)).map(({ name, note }) => [code(name), note]);
  return table(["member", "meaning"], rows);
}

export function faults(): string {
  const common = new Set(["kind", ...shared.flatMap((name) => membersOfValue(faultFile, name).map((one) => one.name))]);
  const notes = membersWithin(faultFile, "fault");
  const rows = fault.options.map(({ shape }) => {
    const kind = shape.kind.value;
    const note = notes.find((one) => one.name === "kind" && one.value?.includes(`"${kind}"`))?.note ?? "";
    const own = Object.keys(shape).filter((name) => !common.has(name));
    return [code(kind), note, own.map((name) => memberOfFault(name, shape[name as keyof typeof shape])).join(", ")];
  });
  return table(["kind", "what happens", "members"], rows);
}

const memberOfFault = (name: string, schema: unknown): string =>
  code(name) + (values(schema).length > 0 ? ` (${values(schema).map(code).join(", ")})` : "");

export function strictness(): string {
  const rows = Object.entries(refusals).map(([name, { code: number, what, ...rest }]) => [
    code(name),
    String(number),
    what + ("isDefault" in rest ? " (off by default)" : ""),
  ]);
  return table(["name", "code", "refused"], rows);
}

export function controlEndpoints(): string {
  const rows = controls.map(({ method, path, description }) => [code(`${method} /_control${path}`), description]);
  return table(["endpoint", "what it does"], rows);
}
