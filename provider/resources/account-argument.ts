/** The argument `account`, as hooks receive it: the id of a company. */
import { z } from "zod";
import { idInput } from "../../sdk/api/scalars";

/** An empty one is an output without a value. It never falls back to the key's own account, which is the default. */
export const accountArgument = z
  .union([z.string(), z.number()], "must be a positive integer")
  .refine((id) => id !== "", {
    message: "is empty; omit it for the key's own account",
    abort: true,
  })
  .pipe(idInput);
