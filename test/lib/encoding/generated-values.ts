import fc from 'fast-check'
import type { z } from 'zod'

/** Values that hardly any field accepts. */
const strangeValues: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'text',
  true,
  -0,
  1.5,
  Number.NaN,
  2 ** 53,
  Number.POSITIVE_INFINITY,
  7n,
  Symbol('strange'),
  new Date(0),
  new Date(Number.NaN),
  [],
  [null],
  {},
  () => 1,
)

/** Any JSON of a caller, also with keys that objects of JavaScript have already. */
const callersValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.json({ maxDepth: 1 }).map((text) => JSON.parse(`{"__proto__":${text},"constructor":1,"order":7}`)),
)

/**
 * Values that `z.encode` takes with a schema, and values that it does not take.
 * @param strange_share how many of 1000 parts are values of any other kind, and how many keys are missing
 */
export function valuesOf(schema: z.core.$ZodType, strange_share: number): fc.Arbitrary<unknown> {
  const values = fittingValues((schema as z.ZodType)._zod.def as Definition, strange_share)
  if (strange_share === 0) return values
  return fc.oneof(
    { weight: 1000 - strange_share, arbitrary: values },
    { weight: strange_share, arbitrary: strangeValues },
  )
}

/** The definition of a schema, whose fields depend on its type. */
interface Definition {
  type: z.core.$ZodType['_zod']['def']['type']
  format?: string
  entries: Record<string, string>
  values: unknown[]
  shape: Record<string, z.core.$ZodType>
  innerType: z.core.$ZodType
  element: z.core.$ZodType
  out: z.core.$ZodType
  keyType: z.core.$ZodType
  valueType: z.core.$ZodType
  options: z.core.$ZodType[]
}

function fittingValues(def: Definition, strange_share: number): fc.Arbitrary<unknown> {
  const part = (schema: z.core.$ZodType) => valuesOf(schema, strange_share)
  const simple: Partial<Record<Definition['type'], () => fc.Arbitrary<unknown>>> = {
    string: () => fc.string({ unit: 'binary', maxLength: 20 }),
    number: () =>
      def.format === 'safeint' ? fc.maxSafeInteger() : fc.double({ noNaN: true, noDefaultInfinity: true }),
    boolean: () => fc.boolean(),
    bigint: () => fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
    date: () => fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }),
    enum: () => fc.constantFrom(...Object.values(def.entries)),
    literal: () => fc.constantFrom(...def.values),
    unknown: () => callersValues,
    undefined: () => fc.constant(undefined),
    nullable: () => fc.option(part(def.innerType)),
    optional: () => fc.option(part(def.innerType), { nil: undefined }),
    readonly: () => part(def.innerType),
    array: () => fc.array(part(def.element), { maxLength: 3 }),
    union: () => fc.oneof(...def.options.map(part)),
    pipe: () => part(def.out),
    record: () => recordValues(def, part),
    object: () => objectValues(def.shape, part, strange_share),
  }
  const make = simple[def.type]
  if (!make) throw new Error(`Say in generated-values.ts which values a schema of the type ${def.type} takes.`)
  return make()
}

type PartValues = (schema: z.core.$ZodType) => fc.Arbitrary<unknown>

function recordValues(def: Definition, part: PartValues): fc.Arbitrary<unknown> {
  const names = (def.keyType as z.ZodType)._zod.values
  if (!names) return fc.dictionary(fc.string(), part(def.valueType), { maxKeys: 3 })
  return fc.record(Object.fromEntries(Array.from(names, (name) => [String(name), part(def.valueType)])))
}

/** Objects with keys in another order than the shape's, with keys that the schema does not know, and without optional ones. */
function objectValues(shape: Definition['shape'], part: PartValues, strange_share: number): fc.Arbitrary<unknown> {
  const keys = Object.keys(shape)
  const fields = Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, part(field)]))
  const needed = keys.filter((key) => (shape[key] as z.ZodType)._zod.optin === undefined)
  const missing = strange_share === 0 ? fc.constant(1000) : fc.integer({ min: 0, max: Math.ceil(1000 / strange_share) })
  return fc
    .tuple(fc.record(fields, { requiredKeys: needed }), missing, fc.boolean())
    .map(([object, left_out, is_reversed]) => {
      const entries = Object.entries(object).filter((_entry, index) => index !== left_out)
      return Object.fromEntries([['unknown_key', 1], ...(is_reversed ? entries.reverse() : entries)])
    })
}
