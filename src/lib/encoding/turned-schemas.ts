import { z } from 'zod'

/**
 * Turns a schema around: parsing with the result is encoding with `schema`. Both sides of a codec change places, and
 * all else stays. Zod compiles schemas for parsing only.
 *
 * A part of a kind that is not listed here, or with its own checks, is encoded by zod itself: its rules in the other
 * direction may be different.
 */
export function turnAround(schema: z.ZodType): z.ZodType {
  return turn(schema, [])
}

/** @param around the schemas that this one is a part of */
function turn(schema: z.ZodType, around: readonly z.ZodType[]): z.ZodType {
  // A schema that contains itself cannot be compiled.
  const turnKind = around.includes(schema) ? undefined : kinds[kindOf(schema)]
  const turned = turnKind?.(schema, (part) => turn(part as z.ZodType, [...around, schema]))
  return turned && mayBeMissingAlike(schema, turned) ? turned : encodedByZod(schema)
}

/** True if zod treats missing keys alike with both schemas. For a codec its sides decide, which change places. */
function mayBeMissingAlike(one: z.ZodType, other: z.ZodType): boolean {
  return one._zod.optin === other._zod.optin && one._zod.optout === other._zod.optout
}

/** The classes of zod that a schema is an instance of. They say more than its type, which `z.email()` and `z.string()` share. */
function kindOf({ _zod: { def, traits } }: z.ZodType): string {
  if (def.checks?.length || ('coerce' in def && def.coerce)) return 'checked'
  const classes = [...traits].filter((trait) => trait.startsWith('$') && trait !== '$ZodType')
  return classes.sort().join(' ')
}

/** Turns a schema of one kind. Undefined if only zod can encode it. */
type TurnKind = (schema: z.ZodType, turnPart: (part: z.core.$ZodType) => z.ZodType) => z.ZodType | undefined

/** Leaves a schema as it is: without a codec it is the same in both directions. */
const leave: TurnKind = (schema) => schema

const kinds: Record<string, TurnKind> = {
  $ZodString: leave,
  $ZodNumber: leave,
  '$ZodCheck $ZodCheckNumberFormat $ZodNumber $ZodNumberFormat': leave,
  $ZodBoolean: leave,
  $ZodBigInt: leave,
  $ZodDate: leave,
  $ZodEnum: leave,
  $ZodLiteral: leave,
  $ZodNull: leave,
  $ZodUndefined: leave,
  $ZodUnknown: leave,
  $ZodNullable: (schema, turnPart) => z.nullable(turnPart((schema as z.ZodNullable).def.innerType)),
  $ZodOptional: (schema, turnPart) => z.optional(turnPart((schema as z.ZodOptional).def.innerType)),
  $ZodArray: (schema, turnPart) => z.array(turnPart((schema as z.ZodArray).def.element)),
  '$ZodObject $ZodObjectJIT': (schema, turnPart) => turnObject(schema as z.ZodObject, turnPart),
  '$ZodCodec $ZodPipe': (schema, turnPart) => turnCodec(schema as z.ZodCodec, turnPart),
}

function turnCodec({ def }: z.ZodCodec, turnPart: (part: z.core.$ZodType) => z.ZodType): z.ZodType {
  return z.codec(turnPart(def.out), turnPart(def.in), { decode: def.reverseTransform, encode: refuse })
}

/** Turns an object that leaves out unknown keys. Strict and loose objects are left to zod. */
function turnObject({ def }: z.ZodObject, turnPart: (part: z.core.$ZodType) => z.ZodType): z.ZodType | undefined {
  if (def.catchall || Object.getOwnPropertySymbols(def.shape).length > 0) return undefined
  const fields = Object.entries(def.shape).map(([key, field]) => ({ key, field, turned: turnPart(field) }))
  if (!fields.every(({ field, turned }) => mayBeMissingAlike(field, turned))) return undefined
  return z.object(Object.fromEntries(fields.map(({ key, turned }) => [key, turned])))
}

function encodedByZod(schema: z.ZodType): z.ZodType {
  return z.codec(z.unknown(), z.unknown(), {
    decode: (value, context) => {
      const result = z.safeEncode(schema, value)
      if (result.success) return result.data
      // This issue is not shown: zod encodes the whole value then.
      context.issues.push({ code: 'custom', input: value })
      return z.NEVER
    },
    encode: refuse,
  })
}

function refuse(): never {
  throw new Error('A schema that was turned around is for parsing only.')
}
