import { callRaw, type TestService } from './test-service.ts'

/** A schema of the document: JSON Schema 2020-12 with references into the document. */
export type Schema = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
}

/** Method of an address. */
export interface Operation {
  method: string
  path: string
  parameters: Parameter[]
  /** The schema of the body, if the operation has one. */
  body: Schema | undefined
  /** The schemas of responses by status; undefined for a response without a JSON body. */
  responses: Map<number, Schema | undefined>
  /** True if it also returns CSV. */
  offers_csv: boolean
  /** True if it also returns workbooks and PDFs, and so its own table as CSV. */
  offers_files: boolean
  /** True if it returns an event stream. */
  is_stream: boolean
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}
type RawOperation = {
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content & { $ref?: string }>
}

export interface Description {
  /** The document itself, to resolve its references. */
  document: Schema
  operations: Operation[]
}

/** Read the OpenAPI document of the running service. */
export async function readDescription({ url }: Pick<TestService, 'url'>): Promise<Description> {
  const document = (await callRaw(url, 'GET', '/openapi.json')).body as Schema
  const paths = document.paths as Record<string, Record<string, RawOperation>>
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      parameters: (described.parameters ?? []).map((one) => resolved<Parameter>(document, one)),
      body: schemaOf(described.requestBody),
      responses: responsesOf(document, described),
      offers_csv: described.responses['200']?.content?.['text/csv'] !== undefined,
      offers_files: described.responses['200']?.content?.['application/pdf'] !== undefined,
      is_stream: described.responses['200']?.content?.['text/event-stream'] !== undefined,
    })),
  )
  return { document, operations }
}

/** The statuses that `default` stands for, by the name of the response. */
const DEFAULTS: Record<string, number[]> = {
  Refused: [401, 403, 415, 429, 503],
  BillRefused: [400, 401, 403, 404, 406, 409, 413, 415, 429, 503],
}

function responsesOf(document: Schema, { responses }: RawOperation): Operation['responses'] {
  return new Map(
    Object.entries(responses).flatMap(([status, answer]) => {
      const schema = schemaOf(resolved<Content>(document, answer))
      const statuses = status === 'default' ? DEFAULTS[answer.$ref!.split('/').at(-1)!]! : [Number(status)]
      return statuses.map((one): [number, Schema | undefined] => [one, schema])
    }),
  )
}

function resolved<Part>(document: Schema, part: object): Part {
  return ('$ref' in part ? resolveReference(document, part.$ref as string) : part) as Part
}

/** Follows a reference such as `#/components/responses/NotFound`. */
export function resolveReference(document: Schema, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
}

/** The path of an operation with an id for its parameter. */
export function pathFor(operation: Operation, id: number | string): string {
  return operation.path.replace(/\{\w+\}/g, String(id))
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema
}
