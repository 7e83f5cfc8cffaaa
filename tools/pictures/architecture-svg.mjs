// The picture of docs/explanation/how-it-works.md.

const boxes = {
  program: { x: 20, y: 30, w: 170, h: 56, title: "Your program", note: "index.ts" },
  files: { x: 20, y: 116, w: 170, h: 56, title: "Account folder", note: "emails/, account.yaml" },
  engine: { x: 260, y: 66, w: 190, h: 70, title: "Engine", note: "Pulumi CLI or built-in" },
  state: { x: 260, y: 196, w: 190, h: 56, title: "State, journal", note: "secrets encrypted" },
  provider: { x: 520, y: 66, w: 190, h: 70, title: "Provider", note: "plan, adopt, restore" },
  client: { x: 520, y: 196, w: 190, h: 56, title: "Client", note: "retries, rate limits" },
  service: { x: 780, y: 130, w: 170, h: 56, title: "The service", note: "accounts, subaccounts" },
  emulator: { x: 780, y: 226, w: 170, h: 56, title: "Emulator", note: "the same API, local" },
  receiver: { x: 780, y: 30, w: 170, h: 56, title: "Your server", note: "receiver of notifications" },
};
const arrows = [
  [190, 58, 260, 90, ""],
  [190, 144, 260, 112, ""],
  [355, 136, 355, 196, ""],
  [450, 101, 520, 101, "calls"],
  [615, 136, 615, 196, ""],
  [710, 216, 780, 170, "HTTP"],
  [710, 232, 780, 250, ""],
  [865, 130, 865, 86, "events"],
];

const box = ({ x, y, w, h, title, note }) =>
  `<rect class="box" x="${x}" y="${y}" width="${w}" height="${h}" rx="8"/>` +
  `<text class="title" x="${x + w / 2}" y="${y + h / 2 - 3}">${title}</text>` +
  `<text class="note" x="${x + w / 2}" y="${y + h / 2 + 15}">${note}</text>`;

const arrow = ([x1, y1, x2, y2, label]) =>
  `<path class="arrow" d="M${x1} ${y1} L${x2} ${y2}" marker-end="url(#end)"/>` +
  (label === ""
    ? ""
    : `<text class="label" x="${(x1 + x2) / 2 + (x1 === x2 ? 26 : 4)}" y="${(y1 + y2) / 2 - (x1 === x2 ? -4 : 12)}">${label}</text>`);

export const architectureSvg = () =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 970 310" role="img">
<title>Program and files, engine, state, provider, client, service and emulator</title>
<style>
svg { color: #24292f; --fill: #f6f8fa; --line: #0b7285; font-family: system-ui, sans-serif }
@media (prefers-color-scheme: dark) { svg { color: #e6edf3; --fill: #21262d; --line: #3bc9db } }
.back { fill: var(--fill); opacity: .35 }
.box { fill: var(--fill); stroke: var(--line); stroke-width: 1.5 }
.title { font-size: 15px; font-weight: 600 }
.note, .label { font-size: 12px; opacity: .8 }
text { fill: currentColor; text-anchor: middle }
.arrow { stroke: var(--line); stroke-width: 1.5; fill: none }
marker path { fill: var(--line) }
</style>
<defs><marker id="end" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>
${arrows.map(arrow).join("\n")}
${Object.values(boxes).map(box).join("\n")}
</svg>
`;
