/** The argument `account`, as hooks get it: the id of a company. */
import { z } from "zod";
import { idInput } from "../../sdk/api/scalars";

/** An empty one is an output that turned out to be. What is meant is not the account of the key, which is the default. */
export const accountArgument = z
  .union([z.string(), z.number()], "must be a positive integer")
  .refine((id) => id !== "", {
    message: "is empty; leave it out if the account of the key is meant",
    abort: true,
  })
  .pipe(idInput);
