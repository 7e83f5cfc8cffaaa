/** The schemas of the two files of a folder that have settings, `account.yaml` and `company.yaml`. */
import { z } from "zod";
import { companyOptions } from "../../definitions/company";
import { kinds, sectionKinds } from "../../definitions/index";
import { isOnePerAccount, type KindDefinition } from "../../definitions/kind";

/** A text. A boolean is taken as its text; of a number, `AccountFile` has made its text already. */
const text = z.union([z.string(), z.boolean()], "must be a string").transform(String);

/** A written `null`. A setting without a value is most likely a mistake. */
export const writtenNull = Symbol("null");
const removal = z.custom((value) => value === writtenNull).transform(() => "");
const removableText = z.union([text.refine((value) => value !== "", "must not be empty"), removal], "must be a string");

/** The fields of a kind. */
const fieldsSchema = ({ fields, otherFields }: KindDefinition) =>
  z.strictObject({
    ...Object.fromEntries(
      Object.entries(fields).map(([name, { isOptional, isRemovable }]) => {
        const schema = isRemovable ? removableText : text;
        return [name, isOptional ? schema.optional() : schema];
      }),
    ),
    ...(otherFields && {
      [otherFields.section]: z.record(z.string().regex(otherFields.name, otherFields.rule), text).optional(),
    }),
  });

/** A section of account.yaml for each kind that is kept there. */
const sections: Record<string, z.ZodType<object | undefined>> = Object.fromEntries(
  sectionKinds.map((kind) => {
    const fields = fieldsSchema(kind);
    return [kind.storage.section, (isOnePerAccount(kind) ? fields : z.record(z.string(), fields)).optional()];
  }),
);

const stringList = (message: string) => z.array(z.string("must be a string"), message);

const lintSchema = z
  .strictObject({
    /** Disabled rules: everywhere (`true`), or in the files and directories of a list. */
    off: z
      .record(
        z.string(),
        z.union(
          [z.literal(true), z.array(z.string("must be a string"))],
          "must be true, or a list of files and directories",
        ),
      )
      .optional(),
    /** Variables that an email template must keep, by its type. */
    requiredVariables: z
      .record(z.string(), stringList("must be a list of variables, such as [contract url]"))
      .optional(),
    /** Policies that `lint` enforces: by name a level, or their configuration. */
    policies: z
      .record(
        z.string(),
        z.union([z.string(), z.looseObject({})], "must be a level such as mandatory, or the policy's configuration"),
      )
      .optional(),
  })
  .optional();

export const accountSchema = z.strictObject({ ...sections, lint: lintSchema });

export const companySchema = z.strictObject({
  ...fieldsSchema(kinds.Company).shape,
  ...companyOptions,
  /** Names that its directory had before, as Pulumi's aliases: under them the state finds its resources. */
  aliases: z.array(z.string("must be a string"), "must be a list of names").optional(),
  /** Values for this subaccount only. */
  values: z.record(z.string(), text).optional(),
});

export type AccountContent = { lint?: z.output<typeof lintSchema> } & { [section: string]: object | undefined };
export type CompanyContent = z.output<typeof companySchema>;
