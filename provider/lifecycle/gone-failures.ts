/** Errors of objects that were deleted outside Pulumi, and of those whose account was. */
import { Failure } from "../core/failure";

export const accountGoneFailure = () => new Failure("ESIGN1022", "the company that it belongs to no longer exists");

export const objectGoneFailure = () => new Failure("ESIGN1021", "it no longer exists in the account");
