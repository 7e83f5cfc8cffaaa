/**
 * The folder for files that one user's processes share. It is among the system's temporary files, since a preview must not write beside
 * the program.
 */
import { lstatSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { makeFolderSync } from "../../fs/make-folder";

export class SharedFolder {
  readonly path: string;

  /** `parent`: the folder that it is in. Default: that of temporary files. */
  constructor(name: string, parent: string = tmpdir()) {
    this.path = join(parent, `pulumi-esign-${process.getuid?.() ?? userInfo().username}`, name);
  }

  /** Makes it. Throws if it belongs to another user. */
  make(): void {
    makeFolderSync(this.path, 0o700);
    if (!this.isOwn) throw new Error("the folder belongs to another user");
  }

  /** Every user may create folders there: another user's is not trusted. */
  get isOwn(): boolean {
    const isOwn = (path: string) => {
      const entry = lstatSync(path, { throwIfNoEntry: false });
      if (entry?.isDirectory() !== true) return false;
      return process.getuid === undefined || (entry.uid === process.getuid() && (entry.mode & 0o077) === 0);
    };
    return isOwn(join(this.path, "..")) && isOwn(this.path);
  }
}
