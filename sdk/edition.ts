/** Editions of the service's interface: that of the specification, and today's. */
export const editions = ["specification", "current"] as const;
export type Edition = (typeof editions)[number];
