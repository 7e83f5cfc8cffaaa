/** Verifies the account of a whole state at once, since the engine does not call the provider for every deletion. */
import { type StateView, stackProviders } from "../plan/deleting-steps";
import { definitionOfType } from "../resources/index";
import { openSession, type StackSessionOptions } from "./dry-run/account-sessions";
import { verifyState } from "./recorded-state";

/**
 * Verifies the stack's account before anything is deleted. An explicit provider's key is in the state, where no other one can be meant.
 * @throws {Failure} if the key is another account's
 */
export async function verifyStackAccount(
  state: Promise<readonly StateView[]>,
  options: StackSessionOptions,
): Promise<void> {
  const ofStack = stackProviders(await state);
  const recorded = (await state).flatMap(({ type, id, outputs, provider = "" }) => {
    const definition = definitionOfType(type);
    return definition === undefined || id === undefined || !ofStack.has(provider) ? [] : [{ definition, id, outputs }];
  });
  if (recorded.length === 0) return;
  const session = openSession(options);
  if (session.connection.isConfigured) await verifyState(session, recorded);
}
