import { z } from 'zod'
import { CreditChange } from '../core/allocations/credit-changes.ts'
import { CollectionRequest } from '../core/collections/collection-request.ts'
import { Collection } from '../core/collections/collections.ts'
import { Contact } from '../core/contacts/contacts.ts'
import type { EventType } from '../core/events/events.ts'
import { Invoice } from '../core/invoices/invoice.ts'
import { Payment } from '../core/payments/payments.ts'

/** A value of a JSON Schema, as far as the schemas of this service use it. */
interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  type?: string
  properties?: Record<string, Schema>
}

/** Sample of a purchase in a notification. It has no schema: its fields depend on the goods. */
const PURCHASE = {
  id: 0,
  agentReference: 'sample',
  kind: 'airtime',
  service_type: 'mtn',
  account_number: '+80000000003',
  phone: '+80000000003',
  amount: '500.0000',
  currency: 'BXC',
  metadata: {},
  status: 'success',
  error_code: null,
  statusCode: '0',
  transactionStatus: 'success',
  transactionReference: 0,
  transactionMessage: 'Sample',
}

const objects: Record<EventType, z.ZodType | object> = {
  'payment.status.changed': Payment,
  'collection.received': Collection,
  'collection.reversed': Collection,
  'contact.created': Contact,
  'contact.credit_changed': CreditChange,
  'collectionrequest.status.changed': CollectionRequest,
  'billpayment.status.changed': PURCHASE,
  'invoice.issued': Invoice,
  'invoice.paid': Invoice,
  'invoice.partly_paid': Invoice,
  'invoice.reopened': Invoice,
  'invoice.voided': Invoice,
}

/**
 * An object as a notification of this type has it, with the examples of the documentation. All its ids are 0, so that no receiver
 * takes it for an object that exists.
 */
export function sampleObject(type: EventType): object {
  const of_type = objects[type]
  if (!(of_type instanceof z.ZodType)) return of_type
  const schema = z.toJSONSchema(of_type, { io: 'input', unrepresentable: 'any', override: addExamples }) as Schema
  const sample = sampleOf(schema, schema.$defs ?? {}) as object
  // Notifications have the phone numbers of a payment alone (interface 2.8).
  return of_type === Payment ? { ...sample, phone_nos: ['+80000000003'] } : sample
}

/** zod leaves the examples of codecs out, because it expects decoded values; ours are in the wire format. */
function addExamples({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}) {
  const examples = z.globalRegistry.get(zodSchema)?.examples
  if (examples) jsonSchema.examples = examples as typeof jsonSchema.examples
}

function sampleOf(schema: Schema, named: Record<string, Schema>, name = ''): unknown {
  const { $ref, anyOf, enum: choices, examples, type, properties } = schema
  if ($ref) return sampleOf(named[$ref.replace('#/$defs/', '')] ?? {}, named, name)
  if (name === 'id' && (type === 'integer' || type === 'number')) return 0
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([key, of_key]) => [key, sampleOf(of_key, named, key)]))
  if (examples?.length) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (choices) return choices[0]
  if (anyOf) return anyOf.some((one) => one.type === 'null') ? null : sampleOf(anyOf[0]!, named, name)
  return plainSamples[type ?? ''] ?? null
}

const plainSamples: Record<string, unknown> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
}
