/** Names of stacks and projects: which are valid, and where one stands. */

/** The name of a stack without those of organization and project, which may stand before it. */
export const plainStackName = (stack: string): string => stack.slice(stack.lastIndexOf("/") + 1);

/** Characters of the longest name. */
export const longestName = 100;

/** Names of projects and stacks are names of files and folders, and parts of URNs. */
const inFiles = new RegExp(`^[A-Za-z0-9_.-]{1,${longestName}}$`);

export const isProjectName = (name: string): boolean => inFiles.test(name);

/** `.` and `..` are folders themselves, and the removal of such a stack would take others along. */
export const isStackName = (name: string): boolean => inFiles.test(name) && name !== "." && name !== "..";
