/** Errors of objects that do not exist, or no longer: they or their account were deleted outside Pulumi. */
import { Failure } from "../core/failure";
import type { ResourceDefinition } from "../core/resource-definition";

export const accountGoneFailure = () => new Failure("ESIGN1022", "the company that it belongs to no longer exists");

export const objectGoneFailure = () => new Failure("ESIGN1021", "it no longer exists in the account");

/** Of an object that is named by its ID, or that cannot be created. */
export const missingFailure = ({ kind }: ResourceDefinition, id: string) =>
  new Failure("ESIGN1020", `no ${kind} with ID ${id} in this account`);
