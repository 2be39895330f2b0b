import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger'
import { z } from 'zod'

/** Sections of the document that say what the interface is about; the order is that of the page at `/docs`. */
const tags = [
  { name: 'Collection requests', description: 'Ask a customer to send money, and see what became of it.' },
  { name: 'Bill payments', description: 'Airtime, data, electricity, TV, pins: look up, buy, and ask again.' },
  { name: 'Webhooks', description: 'Addresses of yours that are told of events as they happen.' },
  { name: 'Events', description: 'What happened in your organization, kept for at least 30 days.' },
  { name: 'Collections', description: 'Money that came in.' },
  { name: 'Payments', description: 'Send money or airtime to phones, and see what became of it.' },
  { name: 'Contacts', description: 'The people whom you ask for money, and who send it.' },
  { name: 'Accounts', description: 'Your wallets and what they hold.' },
  { name: 'Transactions', description: 'What moved the balances of your wallets.' },
  { name: 'Networks', description: 'The mobile-money networks that customers are asked through.' },
  { name: 'Currencies', description: 'The currencies of local wallets.' },
]

const introduction = `Ask customers for mobile money, match what comes in, and hear what happened.

**Keys.** Every request carries \`Authorization: Token <API key>\`.

**Bodies** are \`application/json\` or \`application/x-www-form-urlencoded\`. A dotted key makes an object:
\`metadata.order=7\`. Unknown fields, headers and query parameters are ignored; \`null\` for an optional field means
"not given".

**Lists** answer with \`count\`, \`next\`, \`previous\` and \`results\`. They take \`limit\` (10 unless given, at most 1000),
\`offset\` and \`ordering\`. Filters match exactly and can be combined; an empty value is no filter.

**Times** are UTC: \`2030-01-31T12:00:00Z\`. Filters take \`2030-01-31\`, \`2030-01-31T12:00:00Z\`, \`2030-01-31 12:00\`,
\`31/01/2030 12:00:00\` and offsets.

**Writing once.** Any POST may carry a \`Duplicate-Check-Key\`. While an accepted request with the same key is less than
24 hours old, another one is refused with 409, which names the object that the first one made.

**Limits.** 30 reads and 3000 writes a minute for each key, unless the operator set other limits. Every answer carries
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

**Bill payments** (\`/api/gateway/…\`, also \`/api/baxipay/…\`) take their key as \`x-api-key: <API key>\` or
\`Authorization: Api-key <API key>\` as well, or a signature; they answer in an envelope of their own.

Paths are also served under \`/api/v1\` to \`/api/v5\`, and with a trailing slash.`

/** What stands in the document before any route is looked at. */
export function openApiBase(options: { version: string; service_name: string }) {
  return {
    openapi: '3.1.0',
    info: {
      title: `${options.service_name} API`,
      version: options.version,
      description: introduction,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags,
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: '`Token <API key>`',
        },
        api_key: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'x-api-key',
          description: 'The API key by itself; bill payments only.',
        },
      },
    },
  }
}

/** Both kinds of bodies are taken on every route (interface-gaps: Requests and answers). */
const CONSUMES = ['application/json', 'application/x-www-form-urlencoded']

/**
 * Turns the zod schemas of one route into JSON Schema. What is described is always the wire: the input side of a schema,
 * also in answers, since our codecs decode from the wire and encode to it.
 */
export const describeRoute: SwaggerTransform = ({ schema, url }) => {
  // The console is no part of the interface, though it offers the same resources.
  if (!schema || schema.hide || url.startsWith('/console')) return { schema: { hide: true }, url }
  const { body, querystring, params, headers, response, ...rest } = schema
  const described: Record<string, unknown> = { ...rest }
  for (const [part, value] of Object.entries({ body, querystring, params, headers }))
    if (value) described[part] = toJsonSchema(value as z.ZodType)
  if (body) described.consumes = CONSUMES
  described.response = Object.fromEntries(
    Object.entries((response ?? {}) as Record<string, z.ZodType>).map(([status, value]) => [
      status,
      { description: successTexts[status] ?? 'Done.', ...toJsonSchema(value) },
    ]),
  )
  return { schema: described, url }
}

const successTexts: Record<string, string> = { 200: 'Found.', 201: 'Made.' }

type Json = Record<string, unknown>
interface Operation extends Json {
  parameters?: { name: string; in: string }[]
  requestBody?: Json
  responses: Json
}
interface Document extends Json {
  paths: Record<string, Record<string, Operation>>
  components?: Json
}

/** Adds what the routes share: the named schemas, the key, the error answers and the notifications. */
export const completeDocument: SwaggerTransformObject = (given) => {
  if (!('openapiObject' in given)) throw new TypeError('The document is to be in OpenAPI 3.')
  // From here on it is plain data, richer than the types of the plugin know.
  const document = given.openapiObject as unknown as Document
  for (const [path, operations] of Object.entries(document.paths)) {
    const is_bill = path.startsWith('/api/gateway/')
    for (const operation of Object.values(operations)) {
      if (is_bill) operation.security = [{ api_key: [] }, { token: [] }]
      for (const [status, name] of is_bill ? billErrors : errorsOf(operation))
        operation.responses[status] ??= { $ref: `#/components/responses/${name}` }
      describeCsv(operation)
    }
  }
  return {
    ...document,
    webhooks: notifications,
    components: {
      ...document.components,
      responses: errorResponses,
      schemas: sortKeys({ ...namedSchemas(), Detail, FieldErrors, DuplicateRefusal, BillError }),
    },
    // By the alphabet, so that the order in which code runs makes no difference to the document.
    paths: sortKeys(document.paths),
  } as object
}

/** A list that is also to be had as CSV is a text there, whatever its items are in JSON. */
function describeCsv({ responses }: Operation): void {
  const found = responses['200'] as { content?: Record<string, Json> } | undefined
  const content = found?.content
  if (content?.['text/csv'])
    content['text/csv'] = { schema: { type: 'string', examples: ['id,created\r\n1,2030-01-31T12:00:00Z\r\n'] } }
}

/** Which error answers an operation can give follows from what it takes. */
function errorsOf(operation: Operation): [status: string, name: string][] {
  const takes = (place: string) => operation.parameters?.some((parameter) => parameter.in === place) ?? false
  const checksDuplicates = operation.parameters?.some(({ name }) => name.toLowerCase() === 'duplicate-check-key')
  const errors: [string, string, boolean | undefined][] = [
    ['400', 'Invalid', takes('query') || takes('path') || operation.requestBody !== undefined],
    ['401', 'Unauthenticated', true],
    ['403', 'Forbidden', true],
    ['404', 'NotFound', takes('path')],
    ['409', 'Duplicate', checksDuplicates],
    ['415', 'UnsupportedMedia', operation.requestBody !== undefined],
    ['429', 'Throttled', true],
    ['503', 'Unavailable', true],
  ]
  return errors.flatMap(([status, name, possible]) => (possible ? [[status, name]] : []))
}

/** The bill counter says everything in one form, so all its errors are one answer. */
const billErrors = ['400', '401', '403', '404', '406', '413', '415', '429', '503'].map(
  (status): [status: string, name: string] => [status, 'BillRefused'],
)

const BillError = {
  type: 'object',
  required: ['status', 'message', 'code', 'errors'],
  properties: {
    status: { type: 'string', const: 'error', examples: ['error'] },
    message: { type: 'string', examples: ['Invalid request parameters.'] },
    code: { type: 'string', description: 'What programs look at.', examples: ['BX0003'] },
    errors: {
      description: 'The faulty fields, each with a message; an empty list when none is at fault.',
      examples: [{ service_type: { message: 'This field is required.' } }, []],
      anyOf: [
        { type: 'array', maxItems: 0 },
        {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['message'],
            properties: { message: { type: 'string' } },
          },
        },
      ],
    },
  },
}

const Detail = {
  type: 'object',
  required: ['detail'],
  properties: { detail: { type: 'string', examples: ['Not found.'] } },
}

const FieldErrors = {
  type: 'object',
  description: 'Every faulty field with its messages; what concerns no single field stands under `non_field_errors`.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
}

const DuplicateRefusal = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { type: 'string', examples: ['Duplicate Request Detected!'] },
    type: { type: 'string', description: 'What the first request made.', examples: ['collectionrequest'] },
    id: { type: 'integer', description: 'The id of what it made.', examples: [123] },
  },
}

const retryAfter = {
  'Retry-After': { description: 'Seconds until it is worth another try.', schema: { type: 'integer', examples: [7] } },
}

/** The error answers of the interface (section 7), described once for all operations. */
const errorResponses = {
  Invalid: {
    description: 'The request is wrong. All faulty fields are named at once; a body that cannot be read has `detail`.',
    content: {
      'application/json': {
        schema: { anyOf: [{ $ref: '#/components/schemas/FieldErrors' }, { $ref: '#/components/schemas/Detail' }] },
        examples: {
          fields: { value: { phonenumber: ['This field is required.'], amount: ['A valid number is required.'] } },
          unreadable: { value: { detail: 'JSON parse error - Unexpected end of JSON input' } },
        },
      },
    },
  },
  Unauthenticated: {
    ...detailResponse('No key came, or one that is wrong, revoked or expired.', 'Invalid token.'),
    headers: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Token' } } },
  },
  Forbidden: detailResponse(
    'The key lacks the permission, or the object belongs to another organization.',
    'You do not have permission to perform this action.',
  ),
  NotFound: detailResponse('There is no such object.', 'Not found.'),
  Duplicate: {
    description: 'A request with this Duplicate-Check-Key was accepted in the last 24 hours.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/DuplicateRefusal' },
        example: {
          detail: 'Duplicate Request Detected! A request with this key was accepted in the last 24 hours.',
          type: 'collectionrequest',
          id: 123,
        },
      },
    },
  },
  BillRefused: {
    description: 'Refused or failed; `code` says why (docs/bills.md lists the codes).',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/BillError' },
        example: {
          status: 'error',
          message: 'Invalid request parameters.',
          code: 'BX0003',
          errors: { service_type: { message: 'This field is required.' } },
        },
      },
    },
  },
  UnsupportedMedia: detailResponse(
    'The body is neither JSON nor a form.',
    'Unsupported media type "text/plain" in request.',
  ),
  Throttled: {
    ...detailResponse('Too many requests.', 'Request was throttled. Expected available in 7 seconds.'),
    headers: retryAfter,
  },
  Unavailable: {
    ...detailResponse('The service is being maintained, or cannot say now.', 'The service is temporarily unavailable.'),
    headers: retryAfter,
  },
}

function detailResponse(description: string, detail: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Detail' }, example: { detail } } },
  }
}

/** What webhooks are sent (interface 4.2). */
const notifications = {
  'collectionrequest.status.changed': notification('CollectionRequest', 'The status of a collection request changed'),
  'collection.received': notification('Collection', 'Money was received from a customer'),
  'contact.created': notification('Contact', 'A contact was made'),
}

function notification(name: string, summary: string) {
  const schema = {
    type: 'object',
    required: ['hook', 'data'],
    properties: { hook: { $ref: '#/components/schemas/Webhook' }, data: { $ref: `#/components/schemas/${name}` } },
  }
  return {
    post: {
      tags: ['Webhooks'],
      operationId: `notifyOf${name}`,
      summary,
      description:
        'Answer within 5 seconds with 200. Everything else is tried again, 10 times in total; 410 deletes the webhook.',
      security: [],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 200: { description: 'Received.' }, 410: { description: 'Never again: deletes the webhook.' } },
    },
  }
}

/** A named schema becomes a reference; those inside of it do too. */
function toJsonSchema(schema: z.ZodType): Json {
  const name = z.globalRegistry.get(schema)?.id
  if (name) return { $ref: schemaRef(name) }
  const { $schema, $defs, ...plain } = z.toJSONSchema(schema, { ...jsonSchemaOptions, io: 'input' }) as Json
  const text = JSON.stringify(plain).replaceAll('"#/$defs/', `"${schemaRef('')}`)
  return JSON.parse(text) as Json
}

function namedSchemas(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...jsonSchemaOptions, io: 'input', uri: schemaRef })
  return Object.fromEntries(
    Object.entries(schemas as Record<string, Json>).map(([name, { $schema, $id, id, ...schema }]) => [name, schema]),
  )
}

function schemaRef(name: string): string {
  return `#/components/schemas/${name}`
}

const jsonSchemaOptions: Pick<Parameters<typeof z.toJSONSchema>[1] & object, 'unrepresentable' | 'override'> = {
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }) {
    // zod takes an example for a decoded value and leaves it out; all of ours are examples of the wire.
    const meta = z.globalRegistry.get(zodSchema as z.core.$ZodType)
    if (meta?.examples) jsonSchema.examples = meta.examples as typeof jsonSchema.examples
    // A field that says its type is shown as that, and not as all the spellings that it takes.
    if (meta?.type) delete jsonSchema.anyOf
    // That a number is safe in JSON goes without saying.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
}

function sortKeys<T>(object: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
