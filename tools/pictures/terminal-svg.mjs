// What a terminal shows, as SVG: colours of the output, and a window around it. Readable on light and dark pages.

const columnWidth = 8.4;
const lineHeight = 19;
const margin = 18;
const bar = 30;
const colours = {
  30: "#24292f",
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#56d4dd",
  37: "#c9d1d9",
  90: "#8b949e",
};

const escapeXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Parts of a line that look the same. */
function spansOf(line) {
  const spans = [];
  let style = {};
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with it
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      for (const { 0: text, index } of part.matchAll(/\S+(?: \S+)*/g)) {
        spans.push({ text, column: column + [...part.slice(0, index)].length, style });
      }
      column += [...part].length;
      continue;
    }
    for (const code of codes.split(";").map(Number)) {
      if (code === 0) style = {};
      else if (code === 1) style = { ...style, bold: true };
      else if (code === 2) style = { ...style, dim: true };
      else if (code === 22) style = { ...style, bold: false, dim: false };
      else if (code === 39) style = { ...style, colour: undefined };
      else if (colours[code]) style = { ...style, colour: colours[code] };
    }
  }
  return spans;
}

function textOf({ text, column, style }, row) {
  const attributes = [
    `x="${(margin + column * columnWidth).toFixed(1)}"`,
    `y="${bar + margin + row * lineHeight}"`,
    `textLength="${([...text].length * columnWidth).toFixed(1)}"`,
    style.colour && `fill="${style.colour}"`,
    style.bold && 'font-weight="bold"',
    style.dim && 'opacity="0.65"',
  ];
  return `<text ${attributes.filter(Boolean).join(" ")}>${escapeXml(text)}</text>`;
}

export function terminalSvg(output, { title, description }) {
  const lines = output.trimEnd().split("\n");
  const spans = lines.map(spansOf);
  const columns = Math.max(...spans.flat().map(({ text, column }) => column + [...text].length), 60);
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = bar + lines.length * lineHeight + 2 * margin - 4;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(description)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, at) => `<circle cx="${20 + at * 18}" cy="17" r="5.5" fill="${fill}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#c9d1d9">`,
    `<text x="${width / 2}" y="22" text-anchor="middle" fill="#8b949e">${escapeXml(title)}</text>`,
    ...spans.flatMap((line, row) => line.map((span) => textOf(span, row))),
    "</g></svg>\n",
  ].join("\n");
}
