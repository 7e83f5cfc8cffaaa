/**
 * Decides whether a create adopts an existing object, from the objects in the account and the resources that manage them. Previews and
 * updates use the same rules.
 */
import { duplicateFailure } from "../core/duplicate-error";
import { Failure } from "../core/failure";
import type { CreateDecision, CreateRequest, ExistingObjects, Match, ObjectUse } from "../core/object-access";

/** The objects that match a request in this way. */
export function matching<T>(objects: ExistingObjects<T>, request: CreateRequest<T>, how: Match): T[] {
  return objects.existing().filter((item) => request.match(item) === how);
}

/** Whether an existing object becomes the resource's. */
export function decideAdoption<T>(objects: ExistingObjects<T>, request: CreateRequest<T>): CreateDecision<T> {
  const { onExisting } = request;
  const same = matching(objects, request, "same");
  const create: CreateDecision<T> = { action: "create", identical: same.map((item) => objects.idOf(item)) };
  if (onExisting === "create") return create;
  const withUse = (use: ObjectUse | undefined) => same.find((item) => objects.useOf(objects.idOf(item)) === use);
  const [unmanaged, reusable] = [withUse(undefined), withUse("reusable")];
  // With `onExisting: "fail"` an object of the state is no surprise: its resource is being replaced.
  const item = onExisting === "fail" ? reusable : (unmanaged ?? reusable);
  if (item !== undefined) return { action: "adopt", item };
  if (unmanaged !== undefined) return { action: "refuse", failure: existsFailure(objects.idOf(unmanaged)) };
  if (withUse("created") !== undefined) return { action: "refuse", failure: duplicateFailure(true) };
  const ambiguous = matching(objects, request, "ambiguous").find(
    (other) => objects.useOf(objects.idOf(other)) === undefined,
  );
  if (ambiguous !== undefined) return { action: "refuse", failure: ambiguousFailure(objects.idOf(ambiguous)) };
  return create;
}

const existsFailure = (id: string) => new Failure("ESIGN1010", `an identical one already exists (id ${id})`);

export const ambiguousFailure = (id: string) =>
  new Failure("ESIGN1011", `one of the same name already exists (id ${id}) with a different email address`);
