import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(__dirname, "emails");
const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8").trimEnd();

/** Fills in this program's own `${placeholders}`. `{variables}` without a dollar sign are the API's and left alone. */
const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\$\{(\w+)\}/g, (found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for ${found} in the emails`);
    return value;
  });

/** The three parts of one email template, from its folder: `emails/<type>/{subject.txt,body.html,body.txt}`. */
export function emailTexts(type: string, values: Record<string, string>) {
  const page = read("layout.html").replace("<!-- body -->", () => read(type, "body.html"));
  return {
    subject: fill(read(type, "subject.txt"), values),
    content: fill(page, values),
    contentPlain: fill(read(type, "body.txt"), values),
  };
}
