import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of JSON Schema that openapi.json uses. */
export interface Schema {
  $ref?: string
  allOf?: Schema[]
  type?: string | string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  enum?: string[]
  format?: string
  description?: string
}

export interface Operation {
  operationId: string
  summary?: string
  parameters?: { in: string; name: string; schema: Schema; required?: boolean; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** openapi.json, as far as clients are made from it. */
export interface OpenApi {
  operations: ReadonlyMap<string, Operation>
  schemas: Readonly<Record<string, Schema>>
}

const OF_TYPES: readonly string[] = ['Timestamp', 'Amount']

/** Objects that each client names by their place, such as the sends of an invoice. */
const NAMED_BY_PLACE: readonly string[] = ['DocumentSend']

const METHODS: readonly string[] = ['get', 'post', 'patch', 'put', 'delete']

interface Components {
  schemas: Record<string, Schema>
  parameters: Record<string, unknown>
  responses: Record<string, unknown>
}

/** Reads openapi.json of this repository, with shared parameters, answers and fields in their places. */
export function readOpenApi(): OpenApi {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'))
  const { paths, components } = inPlace(document.components, document) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const operations = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, operation]) => (METHODS.includes(method) ? [operation] : [])),
  )
  return {
    operations: new Map(operations.map((operation) => [operation.operationId, operation])),
    schemas: components.schemas,
  }
}

/** Puts what is no object of its own into the places that refer to it, such as a parameter, an amount or a page of a list. */
function inPlace(components: Components, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => inPlace(components, item))
  if (part === null || typeof part !== 'object') return part
  const { $ref, ...own } = part as { $ref?: string }
  if ($ref !== undefined) {
    const [kind, name] = $ref.split('/').slice(-2) as [keyof Components, string]
    const target = components[kind][name]
    const is_object = kind === 'schemas' && (target as Schema).properties !== undefined
    if (is_object && !NAMED_BY_PLACE.includes(name)) return part
    const { description, ...rest } = target as Schema
    // What these are is the type of the field in a client.
    const words = kind === 'schemas' && OF_TYPES.includes(name) ? {} : { description }
    return inPlace(components, { ...rest, ...words, ...own })
  }
  const { allOf } = part as Schema
  if (Array.isArray(allOf)) return inPlace(components, merge(components, allOf))
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, inPlace(components, inner)]))
}

/** The fields of all schemas as one object. */
function merge({ schemas }: Components, parts: readonly Schema[]): Schema {
  const objects = parts.map((part) => (part.$ref ? schemas[part.$ref.split('/').at(-1)!]! : part))
  return {
    type: 'object',
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
    required: objects.flatMap(({ required = [] }) => required),
  }
}

/** The schema of the JSON that an operation answers with when it succeeds, if it answers with JSON. */
export function answerOf({ responses }: Operation): Schema | undefined {
  return (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema
}

/** The schema of the JSON that an operation takes, if it takes some. */
export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content['application/json']?.schema
}
