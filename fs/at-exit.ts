/** What is left to do when this process ends. One listener for all: Node warns from eleven on. */
const works = new Set<() => void>();
const doAll = (): void => {
  for (const work of works) work();
};

/** Returns what cancels it. */
export function atExit(work: () => void): () => void {
  if (works.size === 0) process.on("exit", doAll);
  works.add(work);
  return () => {
    works.delete(work);
    if (works.size === 0) process.off("exit", doAll);
  };
}
