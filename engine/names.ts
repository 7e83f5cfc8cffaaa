/** Which names projects and stacks may have: they are names of files and folders, and parts of URNs. */

const inFiles = /^[A-Za-z0-9_.-]{1,100}$/;

export const isProjectName = (name: string): boolean => inFiles.test(name);

/** `.` and `..` are folders themselves, and the removal of such a stack would take others along. */
export const isStackName = (name: string): boolean => inFiles.test(name) && name !== "." && name !== "..";
