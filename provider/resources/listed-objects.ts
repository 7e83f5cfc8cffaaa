/** Objects whose list contains all of their data, so that no object has to be read by itself. */
import type { AccountHandle } from "../core/resource-definition";
import { ObjectStore } from "../objects/object-store";
import { assertSameId } from "./check-response";

interface Source<T> {
  list: (offset: number) => AsyncIterable<T>;
  get: (id: string) => Promise<T>;
}

/** One store for each account. `name`: of the list; `idName`: the member with the identifier. */
export const listedObjects = <T, K extends keyof T & string>(
  account: AccountHandle,
  name: string,
  idName: K,
  { list, get }: Source<T>,
) =>
  account.memoize(
    name,
    () =>
      new ObjectStore<T, T>(
        {
          list,
          oneHasAllData: true,
          async one(id) {
            const object = await get(id);
            assertSameId(object[idName] as string, id);
            return object;
          },
          idOf: (object) => object[idName] as string,
        },
        account.session.run,
        account.session.run.recent.of(account, name),
      ),
  );
