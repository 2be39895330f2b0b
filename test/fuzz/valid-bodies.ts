import fc from 'fast-check'
import type { Operation } from '../interface/openapi.ts'
import { hostileText, hostileValue } from './values.ts'

type Fields = Record<string, unknown>

const phone = fc.integer({ min: 0, max: 9_999_999 }).map((digits) => `+8001${String(digits).padStart(7, '0')}`)
const reference = fc.uuid()
/** Content that the service stores as it is. */
const metadata = fc.oneof(fc.constant({ order: 7, deep: { list: [1, null] } }), fc.constant("{'id': '7', 'ok': True}"))

const REQUEST = { amount: '1500', currency: 'BXC' }
const RECURRENCE = {
  start_date: '01/02/2031 08:00:00',
  end_date: '31/12/2031 08:00:00',
  weekdays: 'monday,fri',
  months: ['January', 'feb'],
  frequency: 'weekly, Monthly',
}
const BILL = { agentId: 207, phone: '08031234567' }
const AIRTIME = { ...BILL, amount: '100', service_type: 'mtn', plan: 'prepaid' }
const ELECTRICITY = { ...BILL, amount: 1000, service_type: 'ikeja_electric_prepaid', account_number: '04042404048' }
const CABLE_TV = { ...BILL, service_type: 'dstv', smartcard_number: '4131953321', total_amount: '12500' }
const RENEWAL = { product_code: '0', product_monthsPaidFor: 1, isBoxOffice: 'false' }

/** Bodies that the service accepts, for each operation that stores something; others are made from the description only. */
const validBodies: Record<string, fc.Arbitrary<Fields>> = {
  'POST /api/collectionrequests': fc.oneof(
    fc.record({ phonenumber: phone, metadata }).map((fields) => ({
      ...REQUEST,
      first_name: 'Jane',
      last_name: 'Doe',
      reason: 'Order 7',
      expiry_date: '24 hours',
      success_message: 'Thank you, {customer}!',
      send_instructions: 'True',
      instructions: 'skip',
      start_date: null,
      retry_interval_minutes: '10',
      max_attempts: 1,
      description: 'unknown',
      ...fields,
    })),
    fc
      .record({ phonenumber: phone })
      .map((fields) => ({ ...REQUEST, subscription_settings: RECURRENCE, reason: 'Rent', ...fields })),
  ),
  'POST /api/collectionrequests/{id}/remind': fc.constant({ comment: 'He asked for it.' }),
  'POST /api/collectionrequests/{id}/retry': fc.constant({ comment: 'She has money now.' }),
  'POST /api/collectionrequests/{id}/paymentlink': fc.constant({ comment: 'Another phone.', expiry_date: '2 days' }),
  'POST /api/collectionrequests/{id}/refund': fc.constant({ amount: '5', reason: 'other', comment: 'Sold out.' }),
  'POST /api/payments': fc.oneof(
    fc.record({ phonenumber: phone, metadata }).map((fields) => ({
      amount: 10,
      currency: 'BXC',
      description: 'Wages',
      payment_type: 'money',
      start_date: 'tomorrow',
      first_name: 'Jane',
      national_id: 'CM1',
      national_id_type: 'passport',
      send_sms_message: true,
      ...fields,
    })),
    fc
      .array(fc.record({ phonenumber: phone, amount: fc.constant('10'), metadata }), { minLength: 1, maxLength: 3 })
      .map((recipient_data) => ({ currency: 'BXC', description: 'Wages', recipient_data })),
  ),
  'POST /api/contacts': fc.record({ phone_number: phone, metadata }).map((fields) => ({
    first_name: 'Jane',
    last_name: 'Doe',
    email: 'jane@shop.example',
    type: 'employee',
    status: 'active',
    national_id: 'CM1',
    national_id_type: 'national',
    ...fields,
  })),
  'PATCH /api/contacts/{id}': fc
    .record({ metadata })
    .map((fields) => ({ first_name: 'Jane', email: 'jane@shop.example', status: 'inactive', ...fields })),
  'POST /api/paymentlinks': fc.oneof(
    fc.constant({
      title: 'Fees',
      description: 'Term 2',
      currency: 'BXC',
      amount: '1500',
      single_use: true,
      country: 'XX',
      expiry_date: '24 hours',
      success_message: 'Thank you, {customer}!',
      return_url: 'https://shop.example/x?y=1',
      fields: [{ name: 'pupil', label: 'Pupil', type: 'choice', required: true, choices: ['Ada', 'Ben'] }],
      frame_ancestors: ['https://shop.example'],
    }),
    fc.constant({ title: 'Gift', currency: 'BXC', amounts: ['1000', '2000'], fields: '[]' }),
    fc.constant({ title: 'Gift', currency: 'BXC', min_amount: 1, max_amount: '5000' }),
  ),
  'POST /api/receipts': fc.record({ collection: fc.integer({ min: 1, max: 20 }) }),
  'POST /api/receipts/{id}/send': fc.constantFrom<Fields>({}, { channel: 'sms' }, { email: 'ada@example.com' }),
  'POST /api/invoices': fc.constant({
    phonenumber: '+80000000003',
    first_name: 'Ada',
    currency: 'BXC',
    due_date: '14 days',
    notes: 'Thank you',
    lines: [{ text: 'Fees', quantity: '2', unit_price: '750.5', tax_rate: '18' }],
    language: 'sw',
    reminder_days: [-3, 0, 7],
    reminder_prompts: true,
  }),
  'PATCH /api/invoices/{id}': fc.constant({ due_date: '30 days', reminder_days: '-1, 1', notes: '' }),
  'POST /api/invoices/{id}/send': fc.constantFrom<Fields>({}, { email: 'ada@example.com' }),
  'POST /api/invoices/{id}/collect': fc.constantFrom<Fields>({}, { amount: '5' }),
  'PATCH /api/paymentlinks/{id}': fc.constant({
    title: 'Fees',
    description: '',
    state: 'closed',
    expiry_date: null,
    return_url: 'https://shop.example',
    frame_ancestors: ['https://shop.example'],
  }),
  'POST /api/webhooks': fc.constant({ event: 'contact.created', target: 'https://shop.example/x?y=1' }),
  ...bill('airtime/request', { ...AIRTIME }),
  ...bill('electricity/request', { ...ELECTRICITY }),
  ...bill('databundle/request', { ...BILL, service_type: 'mtn', datacode: '1000', amount: '1000', package: null }),
  ...bill('cabletv/request', { ...CABLE_TV, ...RENEWAL }),
  ...bill('epin/request', { ...BILL, service_type: 'glo', pinValue: '100', numberOfPins: '1' }),
}

function bill(path: string, fields: Fields): Record<string, fc.Arbitrary<Fields>> {
  const body = fc
    .record({ reference, metadata, name: fc.constantFrom('agentReference', 'agentRefernce') })
    .map((made) => ({ ...fields, metadata: made.metadata, [made.name]: made.reference }))
  return { [`POST /api/gateway/services/${path}`]: body }
}

/** Return true if an operation stores an object, so that a valid body of it is known. */
export function knowsValidBody({ method, path }: Operation): boolean {
  return `${method} ${path}` in validBodies
}

/**
 * Return bodies that were valid until a few of their parts were changed. Many come past the validation with hostile
 * content, and the others fail at its last step. Undefined if no valid body of the operation is known.
 */
export function mutatedBodyFor({ method, path }: Operation): fc.Arbitrary<Fields> | undefined {
  const valid = validBodies[`${method} ${path}`]
  return (
    valid &&
    fc
      .tuple(valid, fc.array(fc.tuple(fc.nat(), mutation), { maxLength: 2 }))
      .map(([body, changes]) =>
        changes.reduce<Fields>((changed, [place, change]) => mutate(changed, place, change), body),
      )
  )
}

/** Change of one part; undefined removes it. */
type Mutation = (value: unknown) => unknown

/** Other names of fields, and names that stand for parts of fields: in a body they meet the field itself. */
const otherName = fc.constantFrom(
  'the service',
  'metadata',
  'agentRefernce',
  'agentReference',
  'data_code',
  'pinCount',
  'metadata.a',
  'the service[a]',
  'subscription_settings.frequency',
  'amount[a]',
)

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: hostileValue.map((hostile) => () => hostile) },
  { weight: 2, arbitrary: hostileText.map((text) => () => text) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.oneof(otherName, hostileText), hostileValue).map(
      ([name, hostile]) =>
        (value: unknown) =>
          isPlainObject(value) ? { ...value, [name]: hostile } : value,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Mutation>(
      () => undefined,
      () => null,
      () => '',
      (value) => [value],
      (value) => ({ value }),
      (value) => (typeof value === 'string' ? Number(value) || value : String(JSON.stringify(value))),
      (value) => (typeof value === 'string' ? ` ${value}\n` : value),
      (value) => (typeof value === 'string' ? value.toUpperCase() : value),
    ),
  },
)

/** Change one part of a body, at any depth, or add a field to it. */
function mutate(body: Fields, place: number, change: Mutation): Fields {
  const paths = [[], ...listPaths(body)]
  const changed = setAt(body, paths[place % paths.length]!, change)
  return isPlainObject(changed) ? (changed as Fields) : body
}

/** The paths of the parts of a value, without the value itself and what lies very deep. */
function listPaths(value: unknown, depth = 0): string[][] {
  if (value === null || typeof value !== 'object' || depth === MAX_PATH) return []
  return Object.entries(value).flatMap(([name, part]) => [
    [name],
    ...listPaths(part, depth + 1).map((rest) => [name, ...rest]),
  ])
}

const MAX_PATH = 5

function setAt(value: unknown, [name, ...rest]: readonly string[], change: Mutation): unknown {
  if (name === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((part, index) => (String(index) === name ? setAt(part, rest, change) : part))
  return Object.fromEntries(
    Object.entries(value as object)
      .map(([key, part]) => [key, key === name ? setAt(part, rest, change) : part] as const)
      .filter(([, part]) => part !== undefined),
  )
}

function isPlainObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
