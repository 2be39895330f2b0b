import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger'
import { z } from 'zod'
import { amount, metadata, phonenumber, timestamp } from '../core/fields.ts'
import { pageFields } from './lists.ts'
import { billErrors, errorResponses, errorSchemas, errorsOf } from './openapi/errors.ts'
import { addExamples } from './openapi/examples.ts'
import { extendPage, mergeNull, nameBodies, schemasBehind, shareAnswers, shareParameters } from './openapi/share.ts'
import { shareFields } from './openapi/share-fields.ts'
import {
  type Document,
  type Json,
  type Operation,
  type Schema,
  type Schemas,
  schemaRef,
  sortKeys,
} from './openapi/types.ts'
import {
  describeNotifications,
  notificationBodies,
  notificationSchemas,
  receiverResponses,
} from './openapi/webhooks.ts'

export { openApiBase } from './openapi/base.ts'

/** Content types of bodies, which every route accepts (interface-gaps: Requests and answers). */
const CONSUMES = ['application/json', 'application/x-www-form-urlencoded']

/**
 * Turn the zod schemas of one route into JSON Schema. The document describes the wire format. That is the input side of
 * a schema, also for responses, since the codecs decode from the wire and encode to it.
 */
export const describeRoute: SwaggerTransform = ({ schema, url, route }) => {
  // The console is not part of the interface, although it has the same resources.
  if (!schema || schema.hide || url.startsWith('/console')) return { schema: { hide: true }, url }
  const { body, querystring, params, headers, response, description, ...rest } = schema
  const permission = route.config?.permission
  const described: Record<string, unknown> = {
    ...rest,
    description: [description, ...(permission ? [`Needs \`${permission}\`.`] : [])].filter(Boolean).join(' '),
  }
  for (const [part, value] of Object.entries({ body, querystring, params, headers }))
    if (value) described[part] = toJsonSchema(value as z.ZodType)
  if (body) described.consumes = CONSUMES
  described.response = Object.fromEntries(
    Object.entries((response ?? {}) as Record<string, z.ZodType>).map(([status, value]) => [
      status,
      { description: successTexts[status] ?? 'OK.', ...toJsonSchema(value) },
    ]),
  )
  return { schema: described, url }
}

const successTexts: Record<string, string> = {
  200: 'OK.',
  201: 'Created.',
  202: 'Accepted: a second person has to confirm it.',
}

/** Add the parts that routes share: named schemas, security, error responses and notifications. */
export const completeDocument: SwaggerTransformObject = (input) => {
  if (!('openapiObject' in input)) throw new TypeError('The document must be in OpenAPI 3.')
  // The types of the plugin do not know all parts of the document.
  const document = input.openapiObject as unknown as Document
  const named = namedSchemas()
  const schemas: Schemas = {
    ...named,
    ...sharedSchemas(),
    ...errorSchemas,
    ...notificationSchemas(named),
    CsvFile: { type: 'string', examples: ['id,created\r\n1,2030-01-31T12:00:00Z\r\n'] },
    Page: pageSchema(),
  }
  for (const [path, operations] of Object.entries(document.paths)) {
    const is_bill = path.startsWith('/api/gateway/')
    for (const operation of Object.values(operations)) {
      if (is_bill) operation.security = [{ api_key: [] }, { token: [] }, { bearer: [] }]
      for (const [status, name] of is_bill ? billErrors : errorsOf(operation))
        operation.responses[status] ??= { $ref: `#/components/responses/${name}` }
      describeAnswers(operation)
    }
  }
  // In alphabetical order, so that the order of the code does not change the document.
  const paths = sortKeys(document.paths)
  const operations = Object.values(paths).flatMap((one) => Object.values(one))
  nameBodies(operations, schemas)
  for (const operation of operations) extendPage(operation)
  const webhooks = describeNotifications()
  const requestBodies = notificationBodies()
  addExamples(schemas, operations, [operations.map(({ responses }) => responses), requestBodies])
  const responses = { ...errorResponses, ...receiverResponses, ...shareAnswers(operations) }
  const parameters = shareParameters(operations)
  const parts = { paths, requestBodies, responses, parameters }
  shareFields(schemas, [...schemasBehind(schemas, parts)].sort())
  const used = [...schemasBehind(schemas, parts)].sort()
  return mergeNull({
    ...document,
    webhooks,
    components: {
      ...document.components,
      parameters,
      requestBodies,
      responses,
      schemas: Object.fromEntries(used.map((name) => [name, schemas[name]])),
    },
    paths,
  }) as object
}

/** Describes the CSV form of an answer as a string, and its other files as bytes. */
function describeAnswers({ responses }: Operation): void {
  // The plugin takes the description of an answer from its schema, where it means nothing.
  for (const { description, content = {} } of Object.values(responses))
    for (const { schema } of Object.values(content)) if (schema?.description === description) delete schema?.description
  const content = responses['200']?.content ?? {}
  for (const type of Object.keys(content)) {
    if (type === 'text/csv') content[type] = { schema: { $ref: schemaRef('CsvFile') } }
    // An empty schema: bytes (OpenAPI 3.1).
    else if (type === 'application/pdf' || type.startsWith('application/vnd.')) content[type] = {}
  }
}

/** Converts a schema to JSON Schema. Named schemas, also nested ones, become references. */
function toJsonSchema(schema: z.ZodType): Json {
  const name = z.globalRegistry.get(schema)?.id
  if (name) return { $ref: schemaRef(name) }
  const { $schema, $defs, ...plain } = z.toJSONSchema(schema, { ...jsonSchemaOptions, io: 'input' }) as Json
  const text = JSON.stringify(plain).replaceAll('"#/$defs/', `"${schemaRef('')}`)
  return JSON.parse(text) as Json
}

function namedSchemas(): Schemas {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...jsonSchemaOptions, io: 'input', uri: schemaRef })
  return Object.fromEntries(
    Object.entries(schemas as Schemas).map(([name, { $schema, $id, id, ...schema }]) => [name, schema]),
  )
}

/** Fields that many objects have. Where one is used, its own description stands beside the reference. */
const sharedFields = new Map<unknown, [name: string, description: string]>([
  [timestamp, ['Timestamp', 'A time in UTC.']],
  [amount, ['Amount', 'A decimal number as text, with four decimals.']],
  [metadata, ['Metadata', metadata.meta()!.description!]],
  [phonenumber, ['PhoneNumber', phonenumber.meta()!.description!]],
])

/** Schema of the fields that every page of a list has beside its items. */
function pageSchema(): Schema {
  return toJsonSchema(z.object(pageFields))
}

function sharedSchemas(): Schemas {
  const schemas = [...sharedFields].map(([field, [name, description]]) => {
    const { $schema, ...schema } = z.toJSONSchema(field as z.ZodType, { ...plainOptions, io: 'input' }) as Json
    return [name, { ...schema, description }]
  })
  return Object.fromEntries(schemas)
}

/** The shared field that a schema is, or that it was made of with another description. */
function sharedFieldOf(schema: z.core.$ZodType): [field: z.ZodType, name: string] | undefined {
  for (let one: z.core.$ZodType | undefined = schema; one; one = one._zod.parent) {
    const shared = sharedFields.get(one)
    if (shared) return [one as z.ZodType, shared[0]]
  }
  return undefined
}

type Options = Pick<Parameters<typeof z.toJSONSchema>[1] & object, 'unrepresentable' | 'override'>

const plainOptions: Options = {
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
    // All names of JSON are texts.
    delete jsonSchema.propertyNames
  },
}

const jsonSchemaOptions: Options = {
  ...plainOptions,
  override(context) {
    plainOptions.override!(context)
    const { zodSchema, jsonSchema } = context
    const shared = sharedFieldOf(zodSchema)
    if (!shared) return
    const [field, name] = shared
    const { description, examples } = jsonSchema
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
    const common = field.meta()!
    jsonSchema.$ref = schemaRef(name)
    if (description !== common.description) jsonSchema.description = description!
    if (JSON.stringify(examples) !== JSON.stringify(common.examples)) jsonSchema.examples = examples!
  },
}
