/**
 * fast-check for all property tests. Each run of the tests tries the same cases, so that a failure is of what was changed, not of
 * chance; `RANDOM_SEED=7` tries others, and `RANDOM_TIMES=30` thirty times as many: `RANDOM_SEED=7 RANDOM_TIMES=30 npm test -- test/sdk`.
 */
import fc from "fast-check";

const number = (name: string): number => {
  const value = Number(process.env[name] || 1);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1`);
  return value;
};

/** How many times as many cases as usual are tried, and how many times as long they may take. */
export const times = number("RANDOM_TIMES");

/** How many cases to try, where `usual` are enough for every run of the tests. */
export const cases = (usual: number): number => usual * times;

/** Of a table whose rows are variations of one thing, so many for every run of the tests, evenly spread; all with RANDOM_TIMES. */
export const spread = <Row>(rows: readonly Row[], usual: number): readonly Row[] =>
  times > 1 || usual >= rows.length
    ? rows
    : Array.from({ length: usual }, (_, index) => rows[Math.floor((index * rows.length) / usual)] as Row);

/** Where chance begins. */
export const seed = number("RANDOM_SEED");

fc.configureGlobal({ seed, numRuns: cases(40) });

export { fc };
