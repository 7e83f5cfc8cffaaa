/** Content as people make it by hand in a web app: every kind of text that has to survive. */
const table = `<table>\n${Array.from({ length: 2000 }, (_, i) => `<tr><td>${i}</td><td style="color:#${String(i % 1000).padStart(3, "0")}">row ${i}</td></tr>`).join("\n")}\n</table>`;

const emails = {
  /** Unicode of several planes, a soft hyphen, a byte order mark, what looks like a template. */
  "email-send": {
    subject: "👩‍💻 Bitte unterschreiben: {contract title} — Straße, naïve, 日本語",
    content:
      '\ufeff<p>Hallo {client name} 👋🏽</p>\n<p>{company name}: <a href="{contract url}">unter\u00adschreiben</a> ${not a value} $${nor this} ${x}</p>\n<p>{contract intro}</p>\n',
    contentPlain:
      "Hallo {client name}\n{contract title}\n{contract url}\n{contract intro}\n{company name} ${literal}\n",
  },
  /** Right to left. */
  "email-reminder": {
    subject: "תזכורת: {contract title} \u200f(דחוף)",
    content:
      '<div dir="rtl">\u202bשלום {client name}\u202c, <a href="{contract url}">{contract title}</a> {company name}</div>',
    contentPlain: "شكراً {client name}\n{contract url}\n{contract title} {company name}\n",
  },
  /** CSS with braces, CRLF. */
  "email-cancelled": {
    subject: "Cancelled: {contract title}",
    content:
      "<style>\r\n.a { color: red }\r\n@media (max-width: 600px) { .b{margin:0} }\r\n</style>\r\n<p class=a>{client name}, {contract title}, {company name}, {user name}</p>\r\n",
    contentPlain: "Cancelled:\r\n{contract title}\r\n{client name} {company name} {user name}\r\n",
  },
  /** A huge table. */
  "email-rejected": {
    subject: "Rejected: {contract title}",
    content: `<p>{client name} {contract title} {user name} {company name}</p>\n${table}`,
    contentPlain: "{client name} {contract title} {user name} {company name}",
  },
  /** No plain text. */
  "email-signed": {
    subject: "Signed: {contract title}",
    content: '<p>{client name}, <a href="{contract url}">{contract title}</a> {user name} {company name}</p>\n\n  \n',
    contentPlain: "",
  },
} as const;

/** An account of the local service's seed. */
export const handMade = {
  branding: { logo: "https://www.example.com/Logo%20(1).png?v=1", colour: "#a1B2c3" },
  emails,
  webhooks: [
    { type: "signed-envelope-complete" as const, url: "https://hooks.example.com/esign?tenant=%7B1%7D&x=${y}" },
    { type: "all" as const, url: "https://hooks.example.com/päth" },
    { type: "all" as const, url: "https://audit.example.com/" },
  ],
};
