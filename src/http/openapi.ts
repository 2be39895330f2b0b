import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger'
import { z } from 'zod'

/** The sections of the document, in the order of the page at `/docs`. */
const tags = [
  { name: 'Collection requests', description: 'Ask a customer to send money, and read the status of the request.' },
  { name: 'Plans', description: 'Recurring collection requests: their dates, what they collected, pause and stop.' },
  { name: 'Payment links', description: 'Pages on which customers type their phone number and pay.' },
  { name: 'Receipts', description: 'A page and a PDF for a payment that arrived, with a number without gaps.' },
  { name: 'Reports', description: 'Open amounts by age, and money that is for nothing yet.' },
  { name: 'Matching', description: 'What incoming money is for: allocations, suggestions, and your rules.' },
  { name: 'Invoices', description: 'What your customers are to pay, with lines, a page with a button, and reminders.' },
  {
    name: 'Bill payments',
    description: 'Airtime, data, electricity, TV and pins: look up, buy, and read the result of a purchase.',
  },
  { name: 'Webhooks', description: 'URLs of yours that receive a notification for each event.' },
  { name: 'Events', description: 'Records of changes in your organization, kept for at least 30 days.' },
  { name: 'Collections', description: 'Incoming payments from customers.' },
  { name: 'Payments', description: 'Send money or airtime to phones, and read the state of the payment.' },
  { name: 'Contacts', description: 'The customers of your collection requests and collections.' },
  { name: 'Accounts', description: 'Your wallets and their balances.' },
  { name: 'Transactions', description: 'The transfers that changed the balances of your wallets.' },
  { name: 'Networks', description: 'The mobile-money networks of this installation.' },
  { name: 'SMS', description: 'The SMS to customers, and what became of them.' },
  { name: 'Currencies', description: 'The currencies of local wallets.' },
]

const introduction = `Request mobile money from customers, match incoming payments, and receive events.

**Keys.** Send \`Authorization: Token <API key>\` with every request. \`Bearer <API key>\` means the same.

**Bodies** are \`application/json\` or \`application/x-www-form-urlencoded\`. A dotted key makes an
object: \`metadata.order=7\`. Unknown fields, headers and query parameters are ignored; \`null\` for an optional field means
"not given".

**Lists** return \`count\`, \`next\`, \`previous\` and \`results\`. They accept \`limit\` (default 10, at most 1000),
\`offset\` and \`ordering\`. Filters match exactly and can be combined; a filter with an empty value is ignored.

**Times** are UTC: \`2030-01-31T12:00:00Z\`. Filters accept \`2030-01-31\`, \`2030-01-31T12:00:00Z\`, \`2030-01-31 12:00\`,
\`31/01/2030 12:00:00\` and offsets.

**Duplicate protection.** Any POST that creates something may have the header \`Duplicate-Check-Key\`. For 24 hours after a request with a key was
accepted, a second request with the same key is refused with 409. That response names the object of the first request.

**Limits.** 30 reads and 3000 writes a minute for each key, unless the operator set other limits. Every response has the
headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

**Bill payments** (\`/api/gateway/…\`, also \`/api/baxipay/…\`) also accept the key as \`x-api-key: <API key>\` or
\`Authorization: Api-key <API key>\`, or a signature instead of a key. Their responses have an envelope of their own.

Paths are also served under \`/api/v1\` to \`/api/v5\`, and with a trailing slash.`

/** The parts of the document that do not depend on the routes. */
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
    security: [{ token: [] }, { bearer: [] }] as Record<string, string[]>[],
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: '`Token <API key>`',
        },
        bearer: { type: 'http' as const, scheme: 'bearer', description: 'The API key.' },
        api_key: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'x-api-key',
          description: 'The API key without a scheme word; bill payments only.',
        },
      },
    },
  }
}

/** Content types of bodies, which every route accepts (interface-gaps: Requests and answers). */
const CONSUMES = ['application/json', 'application/x-www-form-urlencoded']

/**
 * Turn the zod schemas of one route into JSON Schema. The document describes the wire format. That is the input side of
 * a schema, also for responses, since the codecs decode from the wire and encode to it.
 */
export const describeRoute: SwaggerTransform = ({ schema, url }) => {
  // The console is not part of the interface, although it has the same resources.
  if (!schema || schema.hide || url.startsWith('/console')) return { schema: { hide: true }, url }
  const { body, querystring, params, headers, response, ...rest } = schema
  const described: Record<string, unknown> = { ...rest }
  for (const [part, value] of Object.entries({ body, querystring, params, headers }))
    if (value) described[part] = toJsonSchema(value as z.ZodType)
  if (body) described.consumes = CONSUMES
  described.response = Object.fromEntries(
    Object.entries((response ?? {}) as Record<string, z.ZodType>).map(([status, value]) => [
      status,
      { description: successTexts[status] ?? 'Success.', ...toJsonSchema(value) },
    ]),
  )
  return { schema: described, url }
}

const successTexts: Record<string, string> = { 200: 'Success.', 201: 'Created.' }

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

/** Add the parts that routes share: named schemas, security, error responses and notifications. */
export const completeDocument: SwaggerTransformObject = (input) => {
  if (!('openapiObject' in input)) throw new TypeError('The document must be in OpenAPI 3.')
  // The types of the plugin do not know all parts of the document.
  const document = input.openapiObject as unknown as Document
  for (const [path, operations] of Object.entries(document.paths)) {
    const is_bill = path.startsWith('/api/gateway/')
    for (const operation of Object.values(operations)) {
      if (is_bill) operation.security = [{ api_key: [] }, { token: [] }, { bearer: [] }]
      for (const [status, name] of is_bill ? billErrorsOf(operation) : errorsOf(operation))
        operation.responses[status] ??= { $ref: `#/components/responses/${name}` }
      describeFiles(operation)
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
    // Alphabetical order keeps the document independent of the code's order.
    paths: sortKeys(document.paths),
  } as object
}

/** Describe the CSV form of an answer as a string, and its other files as bytes. */
function describeFiles({ responses }: Operation): void {
  const success = responses['200'] as { content?: Record<string, Json> } | undefined
  const content = success?.content ?? {}
  for (const type of Object.keys(content)) {
    if (type === 'text/csv')
      content[type] = { schema: { type: 'string', examples: ['id,created\r\n1,2030-01-31T12:00:00Z\r\n'] } }
    // An empty schema: bytes (OpenAPI 3.1).
    else if (type === 'application/pdf' || type.startsWith('application/vnd.')) content[type] = {}
  }
}

/** The error responses of an operation, which follow from its parameters and body. */
function errorsOf(operation: Operation): [status: string, name: string][] {
  const hasParameterIn = (part: string) => operation.parameters?.some((one) => one.in === part) ?? false
  const errors: [string, string, boolean | undefined][] = [
    // A query that no operation reads is checked, too.
    ['400', 'Invalid', true],
    ['401', 'Unauthenticated', true],
    ['403', 'Forbidden', true],
    ['404', 'NotFound', hasParameterIn('path')],
    ['409', 'Duplicate', checksDuplicates(operation)],
    ['415', 'UnsupportedMedia', operation.requestBody !== undefined],
    ['429', 'Throttled', true],
    ['503', 'Unavailable', true],
  ]
  return errors.flatMap(([status, name, possible]) => (possible ? [[status, name]] : []))
}

function checksDuplicates({ parameters }: Operation): boolean {
  return parameters?.some(({ name }) => name.toLowerCase() === 'duplicate-check-key') ?? false
}

/** Return the errors of the bill-payment API. All have one form, so they share one response. */
function billErrorsOf(operation: Operation): [status: string, name: string][] {
  const statuses = ['400', '401', '403', '404', '406', ...(checksDuplicates(operation) ? ['409'] : []), '413', '415']
  return [...statuses, '429', '503'].map((status) => [status, 'BillRefused'])
}

const BillError = {
  type: 'object',
  required: ['status', 'message', 'code', 'errors'],
  properties: {
    status: { type: 'string', const: 'error', examples: ['error'] },
    message: { type: 'string', examples: ['Invalid request parameters.'] },
    code: { type: 'string', description: 'Error code for programs.', examples: ['BX0003'] },
    type: {
      type: 'string',
      description: 'With 409: type of the object that the first request created.',
      examples: ['billpayment'],
    },
    id: { type: 'integer', description: 'With 409: its id, the `transactionReference`.', examples: [10700149] },
    errors: {
      description: 'The invalid fields, each with a message; an empty list when no field is invalid.',
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
  description: 'Every invalid field with its messages. Messages about no single field are in `non_field_errors`.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
}

const DuplicateRefusal = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { type: 'string', examples: ['Duplicate Request Detected!'] },
    type: {
      type: 'string',
      description: 'Type of the object that the first request created.',
      examples: ['collectionrequest'],
    },
    id: { type: 'integer', description: 'Id of that object.', examples: [123] },
  },
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer', examples: [7] } },
}

/** The error responses of the interface (section 7), described once for all operations. */
const errorResponses = {
  Invalid: {
    description:
      'The request is invalid. The response names all invalid fields. It has `detail` when the body cannot be parsed.',
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
    ...detailResponse('The API key is missing, wrong, revoked or expired.', 'Invalid token.'),
    headers: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Token' } } },
  },
  Forbidden: detailResponse(
    'The key lacks the permission, or the object belongs to another organization.',
    'You do not have permission to perform this action.',
  ),
  NotFound: detailResponse('The object does not exist.', 'Not found.'),
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
    description: 'The request was refused or failed. `code` gives the reason (docs/bills.md lists the codes).',
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
    ...detailResponse(
      'Too many requests.',
      'Request was throttled. Expected available in 7 seconds. This API key may send 30 read requests a minute. The operator raises this with READS_PER_MINUTE, or for a new key with --reads-per-minute.',
    ),
    headers: retryAfter,
  },
  Unavailable: {
    ...detailResponse(
      'The service is in maintenance or temporarily cannot answer.',
      'The service is temporarily unavailable.',
    ),
    headers: retryAfter,
  },
}

function detailResponse(description: string, detail: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Detail' }, example: { detail } } },
  }
}

/** The notifications that webhooks receive (interface 4.2). */
const notifications = {
  'collectionrequest.status.changed': notification('CollectionRequest', 'The status of a collection request changed'),
  'collection.received': notification('Collection', 'Money was received from a customer'),
  'contact.created': notification('Contact', 'A contact was created'),
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
        'Respond with 200 within 5 seconds. The service repeats all other deliveries, up to 10 attempts in total. A response of 410 deletes the webhook.',
      security: [],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        200: { description: 'Received.' },
        410: { description: 'Send no more notifications: deletes the webhook.' },
      },
    },
  }
}

/** Convert a schema to JSON Schema. Named schemas, also nested ones, become references. */
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
    // zod omits these examples because it expects decoded values; they are all in the wire format.
    const meta = z.globalRegistry.get(zodSchema as z.core.$ZodType)
    if (meta?.examples) jsonSchema.examples = meta.examples as typeof jsonSchema.examples
    // A field with an explicit type shows only that type, and not all forms that it accepts.
    if (meta?.type) delete jsonSchema.anyOf
    // The limits of safe integers tell a reader nothing.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
}

function sortKeys<T>(object: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
