/**
 * The layout, checked by `npm run check`: imports between rooms and inside them as tools/room-imports.cjs says, and no circle anywhere,
 * types included.
 */
const rooms = require("./tools/room-imports.cjs");

function place(room, row) {
  if (row === ".") return `^${room}/`;
  if (row !== "*") return `^${room}/(${row})(/|\\.ts$)`;
  const others = rooms[room].rows.filter((other) => other !== "*");
  return `^${room}/(?!(${others.join("|")})(/|\\.ts$))`;
}

const betweenRooms = Object.entries(rooms).map(([room, { imports }]) => ({
  name: `${room}-imports`,
  comment: `${room} may import ${imports.join(", ") || "no other room"}`,
  severity: "error",
  from: { path: `^${room}/` },
  to: {
    path: `^(${Object.keys(rooms).join("|")})/`,
    pathNot: [room, ...imports].map((one) => `^${one}(/|\\.ts$)`),
  },
}));

const insideRooms = Object.entries(rooms).flatMap(([room, { rows }]) =>
  rows.slice(0, -1).map((row, at) => ({
    name: `${room}-${row}`,
    comment: `in ${room}, ${row} stands before ${rows.slice(at + 1).join(", ")}`,
    severity: "error",
    from: { path: place(room, row) },
    to: { path: rows.slice(at + 1).map((later) => place(room, later)) },
  })),
);

module.exports = {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    ...betweenRooms,
    ...insideRooms,
    {
      name: "tools-stand-beside",
      comment: "tools/ is not published: what is published runs without it",
      severity: "error",
      from: { path: `^(${Object.keys(rooms).join("|")})/`, pathNot: "^engine/test/" },
      to: { path: "^tools/" },
    },
    {
      name: "engine-plan-is-pure",
      comment: "planning knows resources only: it can be run, and is tested, without a process",
      severity: "error",
      from: { path: "^engine/plan/" },
      to: { path: "^engine/(secrets|config|state|plugin|monitor)/" },
    },
    {
      name: "engine-tests-stand-alone",
      comment: "the tests of the engine know no other room; folders and random cases for tests are at the top of test/",
      severity: "error",
      from: { path: "^engine/" },
      to: { path: "^test/[^/]+/" },
    },
    {
      name: "display-knows-events-only",
      severity: "error",
      from: { path: "^cli/display/" },
      to: { path: "^engine/", pathNot: "^engine/(resource/|(events|api|errors|deferred)\\.ts$)" },
    },
    {
      name: "one-reader-of-account-folders",
      comment: "a symbolic link that leads out of an account's folder is refused in one place",
      severity: "error",
      from: { path: "^account-folder/", pathNot: "^account-folder/folder/(folder-files|symbolic-links)\\.ts$" },
      to: { path: "^(node:)?fs(/promises)?$" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
  },
};
