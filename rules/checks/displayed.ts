/** In one line, and not longer than one. */
export const displayed = (written: string) => {
  const line = written.replace(/\s+/g, " ");
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
};
