import { pascalCase, type Schema, type Schemas, schemaRef } from './types.ts'

/** Minimum number of bytes that a name of its own has to save for a field. */
const MIN_SAVED = 30

/**
 * Give a field that stands in several schemas with the same words a named schema, and let these refer to it. Objects keep
 * their places, since clients name them after those. So do numbers that may be texts: clients find amounts by the names of
 * fields.
 */
export function shareFields(schemas: Schemas, names: readonly string[]): void {
  const uses = names.flatMap((name) => usesIn(schemas[name]!))
  const equal = Map.groupBy(uses, ({ text }) => text)
  for (const same of [...equal.values()].sort((one, other) => savedBy(other) - savedBy(one))) {
    const { field, text } = same[0]!
    const name = pascalCase(field)
    if (schemas[name] || savedBy(same) < MIN_SAVED) continue
    schemas[name] = JSON.parse(text) as Schema
    for (const { refer } of same) refer({ $ref: schemaRef(name) })
  }
}

/** Place of a field, or of one choice of it, that may refer to a named schema. */
interface Use {
  field: string
  text: string
  refer: (reference: Schema) => void
}

function usesIn({ properties = {} }: Schema): Use[] {
  return Object.entries(properties).flatMap(([field, schema]) => {
    const { anyOf = [] } = schema
    const own = useOf(field, schema, (reference) => {
      properties[field] = reference
    })
    const choices = anyOf.flatMap((choice, index) =>
      useOf(field, choice, (reference) => {
        anyOf[index] = reference
      }),
    )
    return [...own, ...choices]
  })
}

function useOf(field: string, schema: Schema, refer: Use['refer']): Use[] {
  const text = JSON.stringify(schema)
  const is_amount = [schema.type].flat().includes('number')
  const is_reference = schema.$ref !== undefined && Object.keys(schema).length === 1
  return is_amount || is_reference || text.includes('"properties"') ? [] : [{ field, text, refer }]
}

/** Bytes by which the document is shorter with one named schema and references to it. */
function savedBy(same: readonly Use[]): number {
  const { field, text } = same[0]!
  const reference = JSON.stringify({ $ref: schemaRef(pascalCase(field)) }).length
  return (same.length - 1) * text.length - same.length * reference - field.length
}
