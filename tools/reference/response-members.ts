/** Where each member of the emulator's responses is known from. */
import { codes } from "../../emulator/domain/api-errors";
import {
  errorMembers,
  type Member,
  type MemberSource,
  type OperationName,
  responseMembers,
  withPaths,
} from "../../emulator/response-members";
import { allEndpoints } from "../../sdk/api";
import { editions } from "../../sdk/edition";
import { sourceOf } from "../../sdk/error-codes";
import { code, table } from "./markdown";

type Line = { path: string; member: Member };

const words: Record<MemberSource["kind"], string> = {
  specification: "specification",
  documented: "documentation",
  example: "example",
  recorded: "recording",
  observed: "observed",
  invented: "invented",
};

const describe = ({ kind, where }: MemberSource): string =>
  kind === "specification" ? `specification ${where}` : `${words[kind]}: ${where}`;

const typesOf = ({ types, isOptional }: Member): string => types.join(" or ") + (isOptional ? ", not always" : "");

const operations = allEndpoints.map(({ group, operation }) => `${group}.${operation}` as OperationName);

/** One row for each member; what each edition has of it. */
function rowsOf(title: string, byEdition: readonly (readonly Line[])[]): string[][] {
  const paths = [...new Set(byEdition.flatMap((lines) => lines.map(({ path }) => path)))];
  return paths.map((path, i) => {
    const cells = byEdition.map((lines) => {
      const found = lines.find((line) => line.path === path)?.member;
      return found ? `${typesOf(found)} (${describe(found.source)})` : "";
    });
    return [i === 0 ? title : "", code(path), ...cells];
  });
}

const isCommon = ({ path }: Line) => ["http", "test"].includes(path);

/** All responses, by operation. */
export function responseSources(): string {
  const first = editions.map((edition) => withPaths(responseMembers("branding.get", edition)).filter(isCommon));
  const rows = [
    ...rowsOf("every success", first),
    ...rowsOf(
      "every error",
      editions.map((edition) => withPaths(errorMembers(edition))),
    ),
    ...operations.flatMap((operation) =>
      rowsOf(
        code(operation),
        editions.map((edition) => withPaths(responseMembers(operation, edition)).filter((line) => !isCommon(line))),
      ),
    ),
  ];
  return table(["response", "member", ...editions.map(code)], rows);
}

/** Members and codes that no document of the service has. */
export function inventions(): string {
  const members = operations.flatMap((operation) => {
    const found = editions.flatMap((edition) => withPaths(responseMembers(operation, edition)));
    const own = found.filter(({ member }) => member.source.kind === "invented");
    return [...new Map(own.map((line) => [line.path, line])).values()].map(({ path, member }) => [
      code(path),
      code(operation),
      member.source.where,
      "`inventedMembers: false`",
    ]);
  });
  const numbers = Object.entries(codes).filter(([number]) => sourceOf(Number(number)) === "invented");
  const rows = numbers.map(([number, [, message]]) => [number, "errors", message, "`strictness`"]);
  return table(["invention", "of", "what", "off with"], [...members, ...rows]);
}
