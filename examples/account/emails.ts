import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(__dirname, "emails");
const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8").trimEnd();

/** Puts this program's own `${values}` into a text. `{variables}` with a space are the service's and stay as they are. */
const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\$\{(\w+)\}/g, (found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for ${found} in the e-mails`);
    return value;
  });

/** The three texts of one e-mail, from its folder: `emails/<type>/{subject.txt,body.html,body.txt}`. */
export function emailTexts(type: string, values: Record<string, string>) {
  const page = read("layout.html").replace("<!-- body -->", () => read(type, "body.html"));
  return {
    subject: fill(read(type, "subject.txt"), values),
    content: fill(page, values),
    contentPlain: fill(read(type, "body.txt"), values),
  };
}
