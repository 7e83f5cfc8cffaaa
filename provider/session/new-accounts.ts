/**
 * Accounts that a run has created. When a company is recreated, an explicit provider with its key leads to the new account, which cannot
 * contain the objects of the old one.
 */
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { hashOf } from "../core/hash";
import type { RunMember } from "../processes/run-registry";

/** The accounts that a run has created, in whatever process of it. */
export class NewAccounts {
  constructor(readonly member: Pick<RunMember, "publish" | "published">) {}

  /** Publishes the account with this key, if that is known. */
  add(key: unknown): void {
    if (typeof key === "string") this.member.publish(nameOf(keyFingerprint(key)));
  }

  /** True for an account that another provider instance of the run has created: it has nothing of an earlier run. */
  has(fingerprint: string): boolean {
    return this.member.published.has(nameOf(fingerprint));
  }
}

const nameOf = (fingerprint: string): string => `new-account:${hashOf(fingerprint)}`;
