/** Names of stacks and projects: which are valid, and how to take a stack's from its qualified name. */

/** The name of a stack without the organization and project that may precede it. */
export const plainStackName = (stack: string): string => stack.slice(stack.lastIndexOf("/") + 1);

/** Maximum length of a name, in characters. */
export const longestName = 100;

/** Names of projects and stacks are names of files and folders, and parts of URNs. */
const inFiles = new RegExp(`^[A-Za-z0-9_.-]{1,${longestName}}$`);

export const isProjectName = (name: string): boolean => inFiles.test(name);

/** `.` and `..` are folders, so the removal of such a stack would also delete others. */
export const isStackName = (name: string): boolean => inFiles.test(name) && name !== "." && name !== "..";
