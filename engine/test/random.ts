/** Programs at random, with all options that decide what happens to a resource. */
import { cases, fc } from "../../test/chance";
import type { Wish } from "./world";

export const settings = { numRuns: cases(10) };

const COUNT = 9;
const isComponent = (i: number): boolean => i % 3 === 2;
/** A retained object does not delete its contents, so these resources have none. */
const mayBeRetained = (i: number): boolean => i % 3 === 1 && i > 1;

interface Allowed {
  protect?: boolean;
  deletedWith?: boolean;
}

/** Programs of up to nine resources, in which each may refer to those before it. */
export const programs = ({ protect = false, deletedWith = true }: Allowed = {}) =>
  fc
    .array(
      fc.record({
        present: fc.integer({ min: 0, max: 9 }),
        value: fc.option(fc.nat(2), { nil: undefined }),
        kind: fc.option(fc.nat(1), { nil: undefined }),
        uses: fc.option(fc.nat(8), { nil: undefined }),
        belongsTo: fc.option(fc.nat(8), { nil: undefined }),
        goes: fc.boolean(),
        parent: fc.option(fc.nat(8), { nil: undefined }),
        dependsOn: fc.array(fc.nat(8), { maxLength: 2 }),
        dbr: fc.boolean(),
        renamed: fc.integer({ min: 0, max: 3 }),
        retain: fc.boolean(),
        ignore: fc.integer({ min: 0, max: 3 }),
        secret: fc.integer({ min: 0, max: 3 }),
        protect: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 1, maxLength: COUNT },
    )
    .map((drafts): Wish[] => {
      const wishes: Wish[] = [];
      const index = new Map<string, number>();
      for (const [i, d] of drafts.entries()) {
        if (d.present === 0) continue;
        const before = (n: number | undefined, fits: (i: number) => boolean): string | undefined => {
          const candidates = wishes.filter((w) => fits(index.get(w.name) as number));
          return n === undefined || candidates.length === 0 ? undefined : candidates[n % candidates.length]?.name;
        };
        const isCustom = (n: number): boolean => !isComponent(n);
        const component = isComponent(i);
        // Each name has the other as an alias, so a new name in the second program is not a new resource.
        const [name, alias] = d.renamed === 0 ? [`r${i}x`, `r${i}`] : [`r${i}`, `r${i}x`];
        const uses = before(d.uses, isCustom);
        const belongsTo = before(d.belongsTo, (n) => isCustom(n) && !mayBeRetained(n));
        const parent = before(d.parent, () => true);
        index.set(name, i);
        wishes.push({
          name,
          key: `r${i}`,
          alias,
          dependsOn: [...new Set(d.dependsOn.map((n) => before(n, isCustom)).filter((n) => n !== undefined))],
          ...(parent !== undefined && { parent }),
          ...(protect && d.protect === 0 && { protect: true }),
          ...(component
            ? { component }
            : {
                ...(d.value !== undefined && { value: d.value }),
                ...(d.kind !== undefined && { kind: d.kind }),
                ...(uses !== undefined && { uses }),
                ...(belongsTo !== undefined && { belongsTo, deletedWithOwner: deletedWith && d.goes }),
                ...(d.dbr && { deleteBeforeReplace: true }),
                ...(d.retain && mayBeRetained(i) && { retainOnDelete: true }),
                ...(d.ignore === 0 && { ignoreChanges: ["value"] }),
                ...(d.secret === 0 && { additionalSecretOutputs: ["token"] }),
              }),
        });
      }
      return wishes;
    });

/** What the service has when a program is complete. */
export const names = (program: Wish[]): string[] =>
  program
    .filter((w) => !w.component)
    .map((w) => w.key as string)
    .sort();
