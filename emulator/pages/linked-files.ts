/** Files that responses link to, generated on request: logos, documents and images of their pages. */
import { crc32, deflateSync } from "node:zlib";

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const size = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

type Rgb = readonly [number, number, number];

/** A PNG; `colour` returns the colour of each pixel. */
function png(width: number, height: number, colour: (x: number, y: number) => Rgb): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colour(x, y), y * (1 + width * 3) + 1 + x * 3);
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A placeholder logo: a disc and two bars in a colour derived from the name. */
export function logo(name: string): Buffer {
  const hue = crc32(name);
  const main: Rgb = [64 + (hue & 0x7f), 64 + ((hue >> 8) & 0x7f), 64 + ((hue >> 16) & 0x7f)];
  const white: Rgb = [255, 255, 255];
  return png(160, 48, (x, y) => {
    if ((x - 24) ** 2 + (y - 24) ** 2 < 18 ** 2) return main;
    if (x > 52 && x < 148 && y > 12 && y < 22) return main;
    return x > 52 && x < 120 && y > 28 && y < 34 ? main : white;
  });
}

/** A placeholder page: grey lines on white. */
export function page(width: number): Buffer {
  const margin = Math.round(width / 8);
  const line = Math.max(4, Math.round(width / 24));
  return png(width, Math.round(width * Math.SQRT2), (x, y) => {
    const text = x > margin && x < width - margin && y > margin && y < width && Math.floor(y / line) % 2 === 0;
    return text ? [205, 205, 210] : [255, 255, 255];
  });
}

/** A PDF of empty pages with the title on each. */
export function pdf(title: string, pages: number): Buffer {
  // PDF strings are in parentheses, which must be escaped; Helvetica has Latin letters only.
  const text = title.replace(/[\\()]/g, "\\$&").replace(/[^\x20-\xff]/g, "?");
  const stream = `BT /F1 18 Tf 72 760 Td (${text}) Tj ET`;
  const kids = Array.from({ length: pages }, (_, i) => `${5 + i} 0 R`);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ...kids.map(
      () =>
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
    ),
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const at = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  const start = body.indexOf("xref\n0 ");
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(body, "latin1");
}
