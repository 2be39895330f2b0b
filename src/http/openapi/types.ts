/** A part of the document that has no type of its own here. */
export type Json = Record<string, unknown>

/** A schema, as far as this folder reads it. */
export interface Schema extends Json {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  description?: string
}

/** A body or an answer in one media type. */
export interface Media extends Json {
  schema?: Schema
  examples?: Json
}

export interface Parameter extends Json {
  name: string
  in: string
}

export interface Answer extends Json {
  content?: Record<string, Media>
}

export interface Operation extends Json {
  operationId?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}

export type Schemas = Record<string, Schema>

export interface Document extends Json {
  paths: Record<string, Record<string, Operation>>
  components?: Json
}

/** The reference to a named schema. */
export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`
}

/** Sorts the names of an object, so that the order of the code does not change the document. */
export function sortKeys<T>(object: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Makes `duplicate-check-key`, `buyAirtime` and `created_after` into names of components. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase())
}
