/**
 * One self-contained page that shows an account's emails as their readers see them. It loads nothing external except a
 * logo that could not be embedded; emails are in sandboxed frames without scripts.
 */

import { createHash } from "node:crypto";
import { type EmailText, emailTexts } from "../../definitions/branding-email";
import { type AccountModel, type Fields, soleFields } from "../../definitions/model";
import { plural } from "../../definitions/text/display";
import { escapeHtml } from "../../sdk/text/html-escape";
import { parseUrl } from "../../sdk/text/url";
import type { Finding } from "../finding";
import { toFileName } from "../folder/file-names";
import { contrast, parseColour } from "../text/colour";
import { htmlToText } from "../text/html/to-text";
import { frameDocument, hasDarkStyles, type Scheme } from "./email-frame";
import { emailTitles, fillSample, type Sample, sample } from "./sample-data";
import { pageScript, reloadScript } from "./script";
import { pageStyle } from "./style";
import { sourceDiff, textDiff } from "./text-diff";

/** The configuration of an account to show. */
export interface Shown {
  /** Its name on the page, such as the folder's path. */
  label: string;
  model: AccountModel;
  /** The logo as a `data:` URL, if it could be loaded. */
  logo?: string;
}

export interface PageOptions {
  shown: Shown;
  /** The baseline. Fields that {@link shown} does not have are shown with its values. */
  before?: Shown;
  findings?: readonly Finding[];
  sample?: Sample;
  /** True for a page that reloads when files change. */
  live?: boolean;
}

interface EmailView {
  type: string;
  title: string;
  /** What readers will see; undefined if no texts are known. */
  email?: EmailText;
  before?: EmailText;
  /** Texts that differ. */
  changed: (keyof EmailText)[];
  findings: Finding[];
}

/** The page's HTML. */
export function renderPage({ shown, before, findings = [], sample: more, live = false }: PageOptions): string {
  const values = { ...sample, ...more };
  const views = emailViews(shown.model, before?.model, findings);
  const branding = { ...(before && brandOf(before)), ...brandOf(shown) };
  const colour = parseColour(branding.colour ?? "") ? branding.colour! : "#8a93a0";
  const logo = shown.logo ?? (brandOf(shown).logoUrl === undefined ? before?.logo : undefined);
  const pictures = new Map(
    [shown, before].flatMap((side) => {
      const { logoUrl } = side ? brandOf(side) : {};
      return side?.logo && logoUrl ? [[logoUrl, side.logo]] : [];
    }),
  );
  const script = pageScript + (live ? reloadScript : "");
  const outside =
    logo === undefined && /^https:\/\/[^\s;,'"]+$/.test(branding.logoUrl ?? "")
      ? parseUrl(branding.logoUrl!)?.href
      : undefined;
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${outside === undefined ? "" : ` ${outside.replace(/[?#].*/, "")}`}`,
    `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
    ...(live ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const draw = (view: EmailView) => emailCard(view, { values, colour, pictures, compares: before !== undefined });
  const others = findings.filter((finding) => !views.some((view) => view.findings.includes(finding)));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Emails of ${escapeHtml(shown.label)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header class="bar">
<div class="who"><h1>Emails</h1><span class="label">${escapeHtml(shown.label)}${before ? ` against ${escapeHtml(before.label)}` : ""}</span></div>
${before ? choice("view", "View", ["compare", "result"]) : ""}
${choice("width", "Width", ["desktop", "phone"])}
${choice("scheme", "Colours of the mail client", ["light", "dark"])}
</header>
<div class="layout">
<nav aria-label="Emails">
${brandCard(branding, logo, before, shown)}
<ul>${views.map(navItem).join("")}</ul>
</nav>
<main>
${others.length > 0 ? `<section class="email">${findingsPart(others)}</section>` : ""}
${views.map(draw).join("\n")}
</main>
</div>
<footer>Names, titles and addresses are invented. Mail clients differ. In dark mode, emails without dark styles are shown inverted.</footer>
<script>${script}</script>
</body>
</html>
`;
}

function emailViews(model: AccountModel, before: AccountModel | undefined, findings: readonly Finding[]): EmailView[] {
  const order = Object.keys(emailTitles);
  const [emails, emailsBefore] = [emailTexts(model), before ? emailTexts(before) : {}];
  const types = new Set([...order, ...Object.keys(emails), ...Object.keys(emailsBefore)]);
  return [...types].map((type) => {
    const [declared, was] = [emails[type], emailsBefore[type]];
    const email = declared || was ? { ...was, ...declared } : undefined;
    const fields = ["subject", "content", "contentPlain"] as const;
    return {
      type,
      title: (emailTitles as Record<string, string>)[type] ?? type,
      ...(email && { email }),
      ...(was && { before: was }),
      changed: before && declared ? fields.filter((field) => (email?.[field] ?? "") !== (was?.[field] ?? "")) : [],
      findings: findings.filter(({ file }) => file.startsWith(`emails/${toFileName(type)}/`)),
    };
  });
}

function choice(name: string, legend: string, options: readonly string[]): string {
  const inputs = options.map((option, index) => {
    const id = `${name}-${option}`;
    const label = option[0]!.toUpperCase() + option.slice(1);
    return `<input type="radio" name="${name}" id="${id}" value="${option}"${index === 0 ? " checked" : ""}><label for="${id}">${label}</label>`;
  });
  return `<fieldset class="choice"><legend>${legend}</legend>${inputs.join("")}</fieldset>`;
}

const brandOf = ({ model }: Shown): Fields => soleFields(model, "Branding");

/** By the pictures, since an account shows another address than the one that is declared; without them, by whether there is one. */
function isLogoChanged(before: Shown | undefined, now: Shown): boolean {
  const declared = brandOf(now).logoUrl;
  if (before === undefined || declared === undefined) return false;
  if (!brandOf(before).logoUrl !== !declared) return true;
  return before.logo !== undefined && now.logo !== undefined && before.logo !== now.logo;
}

function brandCard(now: Fields, logo: string | undefined, before: Shown | undefined, shown: Shown): string {
  const source = logo ?? now.logoUrl;
  const picture =
    source === undefined
      ? '<div class="logo none">no logo</div>'
      : logo === undefined && !/^https:/i.test(source)
        ? `<div class="logo none">${escapeHtml(source)}</div>`
        : `<div class="logo"><img alt="Logo ${logo === undefined ? escapeHtml(source) : ""}" src="${escapeHtml(source)}"></div>`;
  const swatch = (colour: string | undefined) =>
    colour === undefined
      ? '<span class="none">no colour</span>'
      : `<span class="swatch" style="background:${parseColour(colour) ? escapeHtml(colour) : "none"}"></span><code>${escapeHtml(colour)}</code>`;
  const differs = (a: string | undefined, b: string | undefined) =>
    before && b !== undefined && (a ?? "").toLowerCase() !== b.toLowerCase();
  const was = before && brandOf(before).colour;
  const colourChange = differs(was, brandOf(shown).colour) ? `<div class="colour before">was ${swatch(was)}</div>` : "";
  const logoChange = isLogoChanged(before, shown) ? '<span class="badge changed">changed</span>' : "";
  return `<section class="brand"><h2>Branding ${logoChange}</h2>${picture}<div class="colour">${swatch(now.colour)}</div>${colourChange}</section>`;
}

function badges({ changed, before, findings }: EmailView, compares = changed.length > 0): string {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const change =
    compares && changed.length > 0
      ? `<span class="badge ${before ? "changed" : "new"}">${before ? "changed" : "new"}</span>`
      : "";
  const counts = (["error", "warning"] as const).map((severity) => {
    const n = count(severity);
    return n > 0 ? `<span class="badge ${severity}">${plural(n, severity)}</span>` : "";
  });
  return change + counts.join("");
}

function navItem(view: EmailView): string {
  const absent = view.email ? "" : ' class="absent"';
  return `<li><a href="#${escapeHtml(view.type)}"${absent}><span>${escapeHtml(view.title)}</span>${badges(view)}</a></li>`;
}

interface Drawing {
  values: Sample;
  colour: string;
  pictures: ReadonlyMap<string, string>;
  compares: boolean;
}

function emailCard(view: EmailView, drawing: Drawing): string {
  const { type, title, email, before, changed } = view;
  const header = `<header><h2>${escapeHtml(title)}</h2><code>${escapeHtml(type)}</code>${badges(view)}`;
  if (!email) {
    return `<article class="email absent" id="${escapeHtml(type)}">${header}<p>Not managed: the account keeps its own text.</p></header>${findingsPart(view.findings)}</article>`;
  }
  const { values } = drawing;
  const plain = email.contentPlain === undefined ? undefined : fillSample(email.contentPlain, "text", values);
  const subject = email.subject === undefined ? undefined : fillSample(email.subject, "text", values);
  const contentChanged = changed.includes("content") && before?.content !== undefined;
  return `<article class="email" id="${escapeHtml(type)}">${header}</header>
${inboxLine(subject, plain ?? (email.content && htmlToText(fillSample(email.content, "html", values))), drawing)}
<div class="bodies${contentChanged ? " two" : ""}">
<section class="html"><h3>HTML</h3>${
    email.content === undefined
      ? '<p class="none">no HTML body</p>'
      : `<div class="frames">${contentChanged ? frames(before!.content!, "before", title, drawing) : ""}${frames(email.content, contentChanged ? "after" : "", title, drawing)}</div>`
  }</section>
<section class="plain"><h3>Plain text</h3>${plain === undefined ? '<p class="none">no plain text</p>' : `<pre dir="auto">${escapeHtml(plain)}</pre>`}</section>
</div>
${drawing.compares && changed.length > 0 ? changesPart(view) : ""}
${findingsPart(view.findings)}
</article>`;
}

function inboxLine(subject: string | undefined, body: string | undefined, { values, colour }: Drawing): string {
  const from = values["company name"] ?? "";
  const ink = contrast(parseColour(colour)!, [255, 255, 255]) >= 3 ? "#fff" : "#000";
  const line =
    subject === undefined
      ? '<div class="subject none">no subject</div>'
      : `<div class="subject" dir="auto">${escapeHtml(subject)}</div>`;
  const snippet = (body ?? "").replace(/\s+/g, " ").trim().slice(0, 140);
  return `<div class="inbox"><div class="avatar" style="background:${escapeHtml(colour)};color:${ink}">${escapeHtml([...from][0] ?? "")}</div><div><div class="from">${escapeHtml(from)}</div>${line}<div class="snippet" dir="auto">${escapeHtml(snippet)}</div></div></div>`;
}

function frames(html: string, side: "before" | "after" | "", title: string, { values, pictures }: Drawing): string {
  const filled = fillSample(html, "html", values);
  const frame = (scheme: Scheme) => {
    const document = frameDocument(filled, { scheme, pictures });
    const name = [title, side, scheme].filter((word) => word !== "").join(", ");
    // allow-same-origin lets the page measure the frame's height; without allow-scripts nothing in it can use it.
    return `<iframe class="${scheme}" sandbox="allow-same-origin" loading="lazy" title="${escapeHtml(name)}" srcdoc="${escapeHtml(document)}"></iframe>`;
  };
  const note = hasDarkStyles(html) ? "with its own dark styles" : "inverted by the mail client";
  const caption =
    side === ""
      ? `<figcaption class="dark">${note}</figcaption>`
      : `<figcaption>${side}<span class="dark">, ${note}</span></figcaption>`;
  return `<figure class="${side}">${caption}${frame("light")}${frame("dark")}</figure>`;
}

function changesPart({ before = {}, email = {}, changed }: EmailView): string {
  const item = (name: string, diff: string) =>
    diff === "" ? "" : `<div><dt>${name}</dt><dd><pre dir="auto">${diff}</pre></dd></div>`;
  const was = (field: keyof EmailText) => before[field] ?? "";
  const is = (field: keyof EmailText) => email[field] ?? "";
  const items: string[] = [];
  if (changed.includes("subject")) items.push(item("Subject", textDiff(was("subject"), is("subject"))));
  if (changed.includes("content")) {
    const texts = textDiff(htmlToText(was("content")), htmlToText(is("content")));
    items.push(
      item("HTML body, as it reads", texts || '<span class="skip">reads the same; only the markup differs</span>'),
    );
    items.push(
      `<details><summary>Source of the HTML body</summary><dl>${item("", sourceDiff(was("content"), is("content")))}</dl></details>`,
    );
  }
  if (changed.includes("contentPlain"))
    items.push(item("Plain text", textDiff(was("contentPlain"), is("contentPlain"))));
  return `<section class="part changes"><h3>Changes</h3><dl>${items.join("")}</dl></section>`;
}

function findingsPart(findings: readonly Finding[]): string {
  if (findings.length === 0) return "";
  const items = findings.map(
    ({ severity, message, fix, file, line, column, rule }) =>
      `<li class="${severity}"><span>${escapeHtml(message)}</span><span>Fix: ${escapeHtml(fix)}</span><code class="at">${escapeHtml(file)}:${line}:${column} ${escapeHtml(rule)}</code></li>`,
  );
  return `<section class="part findings"><h3>Findings</h3><ul>${items.join("")}</ul></section>`;
}
