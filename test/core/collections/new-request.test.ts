import { describe, expect, it } from 'vitest'
import {
  newCollectionRequestBody,
  type RequestContext,
  toNewCollectionRequest,
} from '../../../src/core/collections/new-request.ts'
import type { NewCollectionRequest } from '../../../src/core/collections/requests.ts'
import { fieldErrors } from '../../../src/core/fields.ts'
import { type FieldErrors, Invalid } from '../../../src/core/refusals.ts'
import { amount } from '../shop.ts'

const NOW = new Date('2030-01-15T12:00:00Z')
const Body = newCollectionRequestBody(['BXC', 'UGX', 'KES'])
const limits = { decimals: 4, min: 1n, max: amount('999999999999999.9999') }
const network = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network', limits }

const PHONE = 'Enter a valid phone number (e.g. +256772000001).'
const EXPIRY = 'Enter a date such as 2 minutes, 31/12/2030 or 31/12/2030 18:00:00.'
const START = 'Enter a date such as tomorrow, 31/12/2030 or 31/12/2030 18:00:00.'
const DICTIONARY = 'Expected a dictionary of items, or a JSON text of one.'
const DIGITS = 'Ensure that there are no more than 15 digits before the decimal point.'

describe('the body that creates a collection request', () => {
  it('needs only a phone number, an amount and a currency', () => {
    expect(toRequest({})).toEqual({
      organization: 7,
      author: 3,
      amount: amount('1500'),
      currency: 'BXC',
      account: null,
      phonenumber: '+80000000003',
      first_name: undefined,
      last_name: undefined,
      network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
      reason: '',
      metadata: {},
      success_message: '',
      send_instructions: false,
      instructions: null,
      expiry_date: new Date('2030-01-16T12:00:00Z'),
      start_date: null,
      retry_interval_minutes: null,
      max_attempts: 3,
      subscription_settings: null,
      schedule: undefined,
      claim: undefined,
    })
  })

  it('treats null and an empty text like a missing field', () => {
    const fields = [
      'first_name',
      'last_name',
      'account',
      'reason',
      'metadata',
      'success_message',
      'send_instructions',
      'instructions',
      'expiry_date',
      'start_date',
      'retry_interval_minutes',
      'max_attempts',
      'subscription_settings',
    ]
    for (const empty of [null, ''])
      for (const field of fields) expect(toRequest({ [field]: empty })).toEqual(toRequest({}))
  })

  it('ignores unknown fields', () => {
    expect(toRequest({ colour: 'blue', id: 5, status: 'successful', organization: 1 })).toEqual(toRequest({}))
  })

  it('reports all invalid fields at once', () => {
    expect(
      errorsOf({ phonenumber: 'x', amount: '-1', currency: 'XYZ', max_attempts: 9, send_instructions: 'maybe' }),
    ).toEqual({
      phonenumber: [PHONE],
      amount: ['Ensure this value is greater than 0.'],
      currency: [expect.stringContaining('"XYZ" is not a valid choice.')],
      max_attempts: ['Ensure this value is less than or equal to 3.'],
      send_instructions: ['Must be a valid boolean.'],
    })
    expect(errorsOfBody({})).toEqual({
      phonenumber: ['This field is required.'],
      amount: ['This field is required.'],
      currency: ['This field is required.'],
    })
  })

  it('reports all errors at once also if they depend on the clock or the network', () => {
    expect(
      errorsOf(
        { currency: 'UGX', start_date: '01/01/2029', expiry_date: '01/01/2029', amount: '0.5' },
        { limits: { ...limits, decimals: 0 } },
      ),
    ).toEqual({
      currency: ['UGX is not used in the country of +80000000003.'],
      start_date: ['The start date must be in the future.'],
      expiry_date: ['The expiry date must be in the future.'],
      amount: ['This amount has more decimals than UGX has.'],
    })
  })
})

/** Valid inputs of a field, and the request that they make. */
const valid_inputs: [field: string, input: unknown, expected: Partial<NewCollectionRequest>][] = [
  ['phonenumber', '+800 0000-0003', { phonenumber: '+80000000003' }],
  ['phonenumber', 80000000003, { phonenumber: '+80000000003' }],
  ['phonenumber', '0080000000003', { phonenumber: '+80000000003' }],
  ['amount', 1, { amount: amount('1') }],
  ['amount', 0.0001, { amount: 1n }],
  ['amount', '1500.5000', { amount: amount('1500.5') }],
  ['amount', ' 1500 ', { amount: amount('1500') }],
  ['amount', '+1500', { amount: amount('1500') }],
  ['amount', '1500.50000000', { amount: amount('1500.5') }],
  ['amount', '999999999999999.9999', { amount: amount('999999999999999.9999') }],
  ['currency', ' BXC ', { currency: 'BXC' }],
  ['first_name', 'Grace', { first_name: 'Grace' }],
  ['first_name', 256, { first_name: '256' }],
  ['last_name', 'Ọ̀ṣun 🌊', { last_name: 'Ọ̀ṣun 🌊' }],
  ['account', 12, { account: 12 }],
  ['account', '12', { account: 12 }],
  ['account', 0, { account: null }],
  ['account', '0', { account: null }],
  ['reason', 'more than twenty characters', { reason: 'more than twenty characters' }],
  ['metadata', { order: 7, deep: { a: [1] } }, { metadata: { order: 7, deep: { a: [1] } } }],
  ['metadata', '{"order": 7}', { metadata: { order: 7 } }],
  ['metadata', "{'order': '7', 'paid': True, 'by': None}", { metadata: { order: '7', paid: true, by: null } }],
  ['metadata', [], { metadata: {} }],
  ['success_message', 'x'.repeat(140), { success_message: 'x'.repeat(140) }],
  ['success_message', '🌊'.repeat(140), { success_message: '🌊'.repeat(140) }],
  ['send_instructions', true, { send_instructions: true }],
  ['send_instructions', 'True', { send_instructions: true }],
  ['send_instructions', '1', { send_instructions: true }],
  ['send_instructions', 'yes', { send_instructions: true }],
  ['send_instructions', 'False', { send_instructions: false }],
  ['send_instructions', 'no', { send_instructions: false }],
  ['send_instructions', 0, { send_instructions: false }],
  ['instructions', 'skip', { instructions: 'skip' }],
  ['expiry_date', '24 hours', { expiry_date: new Date('2030-01-16T12:00:00Z') }],
  ['expiry_date', '2 minutes', { expiry_date: new Date('2030-01-15T12:02:00Z') }],
  ['expiry_date', 'tomorrow', { expiry_date: new Date('2030-01-16T12:00:00Z') }],
  ['expiry_date', '31/12/2030', { expiry_date: new Date('2030-12-31T00:00:00Z') }],
  ['expiry_date', '31/12/2030 18:00:00', { expiry_date: new Date('2030-12-31T18:00:00Z') }],
  ['expiry_date', '2030-12-31T18:00:00+03:00', { expiry_date: new Date('2030-12-31T15:00:00Z') }],
  ['expiry_date', '31/12/2120', { expiry_date: new Date('2120-12-31T00:00:00Z') }],
  [
    'start_date',
    'tomorrow',
    { start_date: new Date('2030-01-16T12:00:00Z'), expiry_date: new Date('2030-01-17T12:00:00Z') },
  ],
  [
    'start_date',
    '16/01/2030',
    { start_date: new Date('2030-01-16T00:00:00Z'), expiry_date: new Date('2030-01-17T00:00:00Z') },
  ],
  ['start_date', '15/01/2030 12:00:01', { start_date: new Date('2030-01-15T12:00:01Z') }],
  ['retry_interval_minutes', 10, { retry_interval_minutes: 10 }],
  ['retry_interval_minutes', '30', { retry_interval_minutes: 30 }],
  ['max_attempts', 0, { max_attempts: 0 }],
  ['max_attempts', '3', { max_attempts: 3 }],
  ['max_attempts', 2.0, { max_attempts: 2 }],
]

/** Invalid inputs of a field, and the errors. */
const invalid_inputs: [field: string, input: unknown, message: string][] = [
  ['phonenumber', undefined, 'This field is required.'],
  ['phonenumber', null, 'This field may not be null.'],
  ['phonenumber', '', PHONE],
  ['phonenumber', '0772000001', PHONE],
  ['phonenumber', '+256', PHONE],
  ['phonenumber', '+8000000000', PHONE],
  ['phonenumber', '+800000000000', PHONE],
  ['phonenumber', '+80000000003; drop table', PHONE],
  ['phonenumber', ['+80000000003'], PHONE],
  ['phonenumber', { number: '+80000000003' }, PHONE],
  ['phonenumber', true, PHONE],
  ['amount', undefined, 'This field is required.'],
  ['amount', null, 'This field may not be null.'],
  ['amount', '', 'A valid number is required.'],
  ['amount', 'many', 'A valid number is required.'],
  ['amount', '1,500', 'A valid number is required.'],
  ['amount', '1 500', 'A valid number is required.'],
  ['amount', '1e3', 'A valid number is required.'],
  ['amount', 'Infinity', 'A valid number is required.'],
  ['amount', '0x10', 'A valid number is required.'],
  ['amount', '١٥٠٠', 'A valid number is required.'],
  ['amount', true, 'A valid number is required.'],
  ['amount', [1500], 'A valid number is required.'],
  ['amount', 0, 'Ensure this value is greater than 0.'],
  ['amount', '0.0000', 'Ensure this value is greater than 0.'],
  ['amount', '-1500', 'Ensure this value is greater than 0.'],
  ['amount', '0.00001', 'Ensure that there are no more than 4 decimal places.'],
  ['amount', 1.23456, 'Ensure that there are no more than 4 decimal places.'],
  ['amount', '1000000000000000', DIGITS],
  ['amount', '9'.repeat(400), DIGITS],
  ['currency', undefined, 'This field is required.'],
  ['currency', null, 'This field may not be null.'],
  ['currency', '', 'This field may not be blank.'],
  ['currency', 'XYZ', expect.stringContaining('"XYZ" is not a valid choice.')],
  ['currency', 'bxc', expect.stringContaining('"bxc" is not a valid choice.')],
  ['currency', 'NGN', expect.stringContaining('"NGN" is not a valid choice.')],
  ['currency', 5, expect.stringContaining('5 is not a valid choice.')],
  ['currency', ['BXC'], expect.stringContaining('["BXC"] is not a valid choice.')],
  ['first_name', 'x'.repeat(101), 'Ensure this field has no more than 100 characters.'],
  ['first_name', { a: 1 }, 'Not a valid string.'],
  ['last_name', ['Akello'], 'Not a valid string.'],
  ['account', 'mine', 'A valid integer is required.'],
  ['account', 1.5, 'A valid integer is required.'],
  ['account', -1, 'Ensure this value is greater than or equal to 0.'],
  ['account', '9'.repeat(40), 'A valid integer is required.'],
  ['reason', 'x'.repeat(201), 'Ensure this field has no more than 200 characters.'],
  ['metadata', 'order 7', DICTIONARY],
  ['metadata', 7, DICTIONARY],
  ['metadata', [1], DICTIONARY],
  ['metadata', '{"order": ', DICTIONARY],
  ['metadata', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, i])), 'Metadata may have at most 50 keys.'],
  ['metadata', { ['k'.repeat(41)]: 1 }, 'Metadata keys may have at most 40 characters.'],
  ['metadata', { order: 'x'.repeat(501) }, 'Metadata values may have at most 500 characters.'],
  ['metadata', { order: ['x'.repeat(501)] }, 'Metadata values may have at most 500 characters.'],
  ['success_message', 'x'.repeat(141), 'Ensure this field has no more than 140 characters.'],
  ['send_instructions', 'maybe', 'Must be a valid boolean.'],
  ['send_instructions', 2, 'Must be a valid boolean.'],
  ['send_instructions', [], 'Must be a valid boolean.'],
  ['instructions', 'x'.repeat(141), 'Ensure this field has no more than 140 characters.'],
  ['expiry_date', 'some day', EXPIRY],
  ['expiry_date', '31/02/2030', EXPIRY],
  ['expiry_date', '12/31/2030', EXPIRY],
  ['expiry_date', 5, EXPIRY],
  ['expiry_date', '9999999999 years', EXPIRY],
  ['expiry_date', '01/01/1905', EXPIRY],
  ['expiry_date', '15/01/2030 12:00:00', 'The expiry date must be in the future.'],
  ['expiry_date', '14/01/2030', 'The expiry date must be in the future.'],
  ['start_date', 'whenever', START],
  ['start_date', '01/01/1905', START],
  ['start_date', '01/01/9999', START],
  ['start_date', '15/01/2030 12:00:00', 'The start date must be in the future.'],
  ['retry_interval_minutes', 9, 'Ensure this value is greater than or equal to 10.'],
  ['retry_interval_minutes', 0, 'Ensure this value is greater than or equal to 10.'],
  ['retry_interval_minutes', 'often', 'A valid integer is required.'],
  ['retry_interval_minutes', 10.5, 'A valid integer is required.'],
  ['max_attempts', 4, 'Ensure this value is less than or equal to 3.'],
  ['max_attempts', -1, 'Ensure this value is greater than or equal to 0.'],
  ['max_attempts', 'x', 'A valid integer is required.'],
  ['subscription_settings', 'daily', DICTIONARY],
  ['subscription_settings', 5, DICTIONARY],
]

describe('each field', () => {
  it.each(valid_inputs)('accepts %s = %j', (field, input, expected) => {
    expect(toRequest({ [field]: input })).toMatchObject(expected)
  })

  it.each(invalid_inputs)('refuses %s = %j', (field, input, message) => {
    expect(errorsOf({ [field]: input })).toEqual({ [field]: [message] })
  })
})

describe('the dates', () => {
  it('of expiry count from the start date', () => {
    const request = toRequest({ start_date: '20/01/2030', expiry_date: '2 hours' })
    expect(request.expiry_date).toEqual(new Date('2030-01-20T02:00:00Z'))
  })

  it('of expiry must be later than the start date', () => {
    expect(errorsOf({ start_date: '20/01/2030', expiry_date: '19/01/2030' })).toEqual({
      expiry_date: ['The expiry date must be later than the start date.'],
    })
  })

  it('of a plan set the start date to the first occurrence', () => {
    const settings = { start_date: '21/01/2030 08:00:00', end_date: '31/12/2030 00:00:00', frequency: 'monthly' }
    const request = toRequest({ subscription_settings: settings })
    expect(request.start_date).toEqual(new Date('2030-01-21T08:00:00Z'))
    expect(request.expiry_date).toEqual(new Date('2030-01-22T08:00:00Z'))
    expect(request.subscription_settings).toEqual(settings)
  })

  it('of a plan and of the request must be the same', () => {
    const settings = { start_date: '21/01/2030 08:00:00', end_date: '31/12/2030 00:00:00', frequency: 'daily' }
    expect(errorsOf({ start_date: '22/01/2030 08:00:00', subscription_settings: settings })).toEqual({
      subscription_settings: ["start_date: This differs from the request's own start_date."],
    })
    expect(toRequest({ start_date: '21/01/2030 08:00:00', subscription_settings: settings }).start_date).toEqual(
      new Date('2030-01-21T08:00:00Z'),
    )
  })

  it('of a plan are stored in the form in which they were given', () => {
    const text = '{"end_date": "31/12/2030 00:00:00", "weekdays": "Mon, friday"}'
    expect(toRequest({ subscription_settings: text }).subscription_settings).toBe(text)
  })
})

describe('the phone and its currency', () => {
  it.each([
    ['UGX', '+256772000001', 'the country of the currency'],
    ['KES', '+254711000001', 'the country of the currency'],
    ['BXC', '+256772000001', 'any country, with the test currency'],
  ])('fit: %s and %s, %s', (currency, phonenumber) => {
    expect(toRequest({ currency, phonenumber })).toMatchObject({ currency, phonenumber })
  })

  it('must be of the same country, unless an account is given, which may be a cross-border one', () => {
    expect(errorsOf({ currency: 'UGX', phonenumber: '+254711000001' })).toEqual({
      currency: ['UGX is not used in the country of +254711000001.'],
    })
    expect(toRequest({ currency: 'UGX', phonenumber: '+254711000001', account: 5 })).toMatchObject({ account: 5 })
  })

  it('need a network', () => {
    expect(errorsOf({}, null)).toEqual({ phonenumber: [NO_NETWORK.message] })
  })

  it('must be within the limits of the network', () => {
    const narrow = { ...network, limits: { decimals: 0, min: amount('500'), max: amount('4000000') } }
    expect(errorsOf({ amount: '1500.5' }, narrow)).toEqual({
      amount: ['The network of this number takes amounts with at most 0 decimals.'],
    })
    expect(errorsOf({ amount: 499 }, narrow)).toEqual({
      amount: ['Ensure this value is greater than or equal to 500.0000.'],
    })
    expect(errorsOf({ amount: 4000001 }, narrow)).toEqual({
      amount: ['Ensure this value is less than or equal to 4000000.0000.'],
    })
  })
})

const valid = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC' }

/** Change to the network of the number; null for no network. */
type NetworkChanges = Partial<Extract<RequestContext['network'], { slug: string }>> | null

/** The request from a valid body with these changes. */
function toRequest(changes: object, changed_network: NetworkChanges = network): NewCollectionRequest {
  return requestOf({ ...valid, ...changes }, changed_network)
}

const NO_NETWORK = { field: 'phonenumber', message: 'No network serves this number in BXC.' } as const

/** The errors of a valid body with these changes. */
function errorsOf(changes: object, changed_network: NetworkChanges = network): FieldErrors {
  return errorsOfBody({ ...valid, ...changes }, changed_network)
}

function errorsOfBody(body: object, changed_network: NetworkChanges = network): FieldErrors {
  try {
    requestOf(body, changed_network)
  } catch (error) {
    if (error instanceof Invalid) return error.fields
    throw error
  }
  return {}
}

function requestOf(body: object, changed_network: NetworkChanges): NewCollectionRequest {
  const result = Body.safeParse(body)
  if (!result.success) throw new Invalid(fieldErrors(result.error.issues))
  const context = {
    now: NOW,
    organization: 7,
    author: 3,
    network: changed_network ? { ...network, ...changed_network } : NO_NETWORK,
  }
  return toNewCollectionRequest(result.data, context)
}
