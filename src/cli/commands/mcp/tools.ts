import type { JSONObject, JSONValue } from '@modelcontextprotocol/server'

/** Part of the OpenAPI document of the service that tools are drawn from. */
export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, ApiParameter> }
}
interface ApiOperation {
  operationId: string
  summary: string
  description?: string
  parameters?: (ApiParameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> }
}
interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}
type JsonSchema = JSONObject

/** Operation of the API as an assistant sees it. */
export interface Tool {
  name: string
  description: string
  inputSchema: JsonSchema & { type: 'object'; properties: Record<string, JsonSchema>; required: string[] }
  /** The permission that it needs; undefined if every key may use it. */
  permission: string | undefined
  writes: boolean
  /** Build the call of the API from the input of the tool. */
  toCall(input: Record<string, unknown>): {
    method: string
    path: string
    headers: Record<string, string>
    body?: string
  }
}

const KEY_HEADER = 'duplicate-check-key'
/** Name of the Duplicate-Check-Key in the input of a tool. */
export const KEY_FIELD = 'duplicate_check_key'
/** The query parameter with which a list changes something: it is no parameter of the list, but a tool of its own. */
const CLAIM = 'claim'
/** A stream never ends, so it is no tool. */
const LEFT_OUT: readonly string[] = ['streamEvents']

/** Draw a tool from each operation. Reading ones come first. */
export function drawTools({ paths, components }: ApiDocument): Tool[] {
  const tools = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      LEFT_OUT.includes(operation.operationId)
        ? []
        : splitClaim(components, operation).map((one) => drawTool(components, { path, method, ...one })),
    ),
  )
  return tools.sort((a, b) => Number(a.writes) - Number(b.writes))
}

/** An operation as one tool. */
interface Drawn {
  operation: ApiOperation
  parameters: ApiParameter[]
  /** Query parameters of each call. */
  preset?: Record<string, string>
}

/** Make two of an operation that reads, and with one parameter also changes something. */
function splitClaim(components: ApiDocument['components'], operation: ApiOperation): Drawn[] {
  const all = (operation.parameters ?? []).map((one) =>
    '$ref' in one ? components.parameters[one.$ref.split('/').at(-1)!]! : one,
  )
  const parameters = all.filter(({ name }) => name !== CLAIM)
  const { description } = all.find(({ name }) => name === CLAIM) ?? {}
  const claim = { operationId: 'claimCollection', summary: 'Claim a collection', description }
  return [
    { operation, parameters },
    ...(description === undefined ? [] : [{ operation: claim, parameters, preset: { [CLAIM]: 'true' } }]),
  ]
}

function drawTool(
  components: ApiDocument['components'],
  { path, method, operation, parameters, preset }: Drawn & { path: string; method: string },
): Tool {
  const { operationId, summary, description = '', requestBody } = operation
  const inputs = parameters.filter((one) => one.in !== 'header')
  const takes_key = parameters.some(({ name }) => name.toLowerCase() === KEY_HEADER)
  const body = requestBody?.content['application/json']?.schema
  const properties: Record<string, JsonSchema> = {
    ...Object.fromEntries(inputs.map((one) => [one.name, { description: one.description, ...one.schema }])),
    ...(takes_key && { [KEY_FIELD]: KEY_SCHEMA }),
    ...(body && { body }),
  }
  return {
    name: operationId,
    description: `${summary}. ${description}`,
    inputSchema: withDefinitions(components.schemas, {
      type: 'object',
      properties,
      required: [
        ...inputs.flatMap(({ name, required }) => (required ? [name] : [])),
        ...(takes_key ? [KEY_FIELD] : []),
        ...(body && requestBody?.required ? ['body'] : []),
      ],
    }),
    permission: /Needs `(\w+)`/.exec(description)?.[1],
    writes: method !== 'get' || preset !== undefined,
    toCall(input) {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
      const given = inputs.filter((one) => one.in === 'query' && input[one.name] != null)
      const values = given.map(({ name }) => [name, String(input[name])])
      const query = new URLSearchParams({ ...Object.fromEntries(values), ...preset })
      return {
        method: method.toUpperCase(),
        path: query.size > 0 ? `${filled}?${query}` : filled,
        headers: (takes_key ? { [KEY_HEADER]: String(input[KEY_FIELD]) } : {}) as Record<string, string>,
        ...(body && { body: JSON.stringify(input.body ?? {}) }),
      }
    },
  }
}

const KEY_SCHEMA: JsonSchema = {
  type: 'string',
  minLength: 1,
  description: 'A new text for each thing to do. Repeat a call with the same text: it is then done only once.',
}

/** Add the schemas that an input refers to, so that it stands by itself. */
function withDefinitions(schemas: Record<string, JsonSchema>, input: Tool['inputSchema']): Tool['inputSchema'] {
  const $defs: JSONObject = {}
  const localize = (part: JSONValue): JSONValue =>
    JSON.parse(JSON.stringify(part), (key, value) => {
      if (key !== '$ref') return value
      const name = String(value).split('/').at(-1)!
      if (!(name in $defs)) {
        $defs[name] = {}
        $defs[name] = localize(schemas[name]!)
      }
      return `#/$defs/${name}`
    })
  const local = localize(input) as Tool['inputSchema']
  return Object.keys($defs).length > 0 ? { ...local, $defs } : local
}
