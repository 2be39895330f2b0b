import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of JSON Schema that openapi.json uses. */
export interface Schema {
  $ref?: string
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

const METHODS: readonly string[] = ['get', 'post', 'patch', 'put', 'delete']

/** Read openapi.json of this repository. */
export function readOpenApi(): OpenApi {
  const file = join(import.meta.dirname, '../../openapi.json')
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as {
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

/** The schema of the JSON that an operation answers with when it succeeds, if it answers with JSON. */
export function answerOf({ responses }: Operation): Schema | undefined {
  return (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema
}

/** The schema of the JSON that an operation takes, if it takes some. */
export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content['application/json']?.schema
}
