import { schemasBehind } from './share.ts'
import { type Media, type Operation, type Schema, type Schemas, schemaRef } from './types.ts'

/**
 * Adds an example to each body and to each object that an answer has. An answer needs none of its own then: a page of a list, for example,
 * takes it from its items, and an object inside the example of another has it there.
 * @param schemas the named schemas, which are changed
 * @param answers all answers and notifications
 */
export function addExamples(schemas: Schemas, operations: readonly Operation[], answers: unknown): void {
  const request_bodies = operations.map(({ requestBody }) => requestBody)
  for (const body of request_bodies) for (const media of Object.values(body?.content ?? {})) addToBody(schemas, media)
  const bodies = schemasBehind(schemas, request_bodies)
  const inner = [...schemasBehind(schemas, answers)].filter((name) => !bodies.has(name) && schemas[name]?.properties)
  const direct = inner.filter((name) => refersTo(answers, name))
  const shown = new Map<string, unknown>()
  for (const name of [...direct, ...inner]) {
    if (shown.has(name)) continue
    exampleOf(schemas, { $ref: schemaRef(name) }, shown)
    direct.push(name)
  }
  // One example of the whole object says the same as one for each of its fields.
  for (const name of inner) schemas[name] = withoutExamples(schemas[name]!)
  for (const name of direct) schemas[name]!.examples = [shown.get(name)]
}

function refersTo(part: unknown, name: string): boolean {
  return JSON.stringify(part).includes(`"${schemaRef(name)}"`)
}

/** The example of a body has the required fields, or all where none is required. The schema has it, for all media types. */
function addToBody(schemas: Schemas, { schema }: Media): void {
  const named = schema && resolve(schemas, schema)
  if (!named || named.examples) return
  const wanted = named.required ?? Object.keys(named.properties ?? {})
  named.examples = [exampleOfFields(schemas, named, wanted)]
}

/**
 * Makes a value that a schema allows, from the examples of its parts. An object that may be null is null.
 * @param shown is told the example of each named schema
 */
export function exampleOf(schemas: Schemas, schema: Schema, shown = new Map<string, unknown>()): unknown {
  const { $ref, examples, anyOf, items, properties } = schema
  if (examples && examples.length > 0) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if ($ref) {
    const example = exampleOf(schemas, resolve(schemas, schema), shown)
    shown.set(nameOf($ref), example)
    return example
  }
  if (properties) return exampleOfFields(schemas, schema, Object.keys(properties), shown)
  if (anyOf) return exampleOfChoice(schemas, anyOf, shown)
  if (items) return [exampleOf(schemas, items, shown)]
  return plainExamples[[schema.type ?? 'object'].flat()[0]!] ?? null
}

const plainExamples: Record<string, unknown> = { string: '', integer: 1, number: 1, boolean: true, object: {} }

function exampleOfChoice(schemas: Schemas, choices: readonly Schema[], shown: Map<string, unknown>): unknown {
  const objects = choices.some((choice) => resolve(schemas, choice).properties)
  const chosen = objects ? choices.find(({ type }) => type === 'null') : undefined
  return exampleOf(schemas, chosen ?? choices[0]!, shown)
}

function exampleOfFields(
  schemas: Schemas,
  { properties = {} }: Schema,
  fields: readonly string[],
  shown?: Map<string, unknown>,
) {
  return Object.fromEntries(fields.map((name) => [name, exampleOf(schemas, properties[name] ?? {}, shown)]))
}

function resolve(schemas: Schemas, schema: Schema): Schema {
  return schema.$ref ? (schemas[nameOf(schema.$ref)] ?? {}) : schema
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** A schema without the examples of its parts. A field may have the name `examples`; its schema is no list. */
function withoutExamples<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withoutExamples) as Part
  if (part === null || typeof part !== 'object') return part
  const kept = Object.entries(part).filter(([name, value]) => name !== 'examples' || !Array.isArray(value))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutExamples(value)])) as Part
}
