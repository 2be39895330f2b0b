import { callRaw, type TestService } from './test-service.ts'

/** A schema as the document has it: JSON Schema 2020-12 with references into the document. */
export type Schema = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
}

/** One method of one address. */
export interface Operation {
  method: string
  path: string
  parameters: Parameter[]
  /** The schema of the body, if the operation takes one. */
  body: Schema | undefined
  /** By status; undefined where an answer has no body, or none in JSON. */
  responses: Map<number, Schema | undefined>
  /** Whether it can also answer with CSV. */
  offers_csv: boolean
  /** Whether what it answers with is a stream of events. */
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
  /** The document itself, for those who follow its references. */
  document: Schema
  operations: Operation[]
}

/** What the running service says about itself. */
export async function readDescription({ url }: Pick<TestService, 'url'>): Promise<Description> {
  const document = (await callRaw(url, 'GET', '/openapi.json')).body as Schema
  const paths = document.paths as Record<string, Record<string, RawOperation>>
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      body: schemaOf(described.requestBody),
      responses: new Map(
        Object.entries(described.responses).map(([status, answer]) => [
          Number(status),
          schemaOf(answer.$ref === undefined ? answer : (resolveReference(document, answer.$ref) as Content)),
        ]),
      ),
      offers_csv: described.responses['200']?.content?.['text/csv'] !== undefined,
      is_stream: described.responses['200']?.content?.['text/event-stream'] !== undefined,
    })),
  )
  return { document, operations }
}

/** Follows a reference such as `#/components/responses/NotFound`. */
export function resolveReference(document: Schema, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document)
}

/** The path with an id in its place. */
export function pathFor(operation: Operation, id: number | string): string {
  return operation.path.replace(/\{\w+\}/g, String(id))
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema
}
