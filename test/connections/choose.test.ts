import { describe, expect, it } from 'vitest'
import {
  chooseConnection,
  chooseRefundConnection,
  findConnection,
  hasSeveralNetworks,
} from '../../src/connections/choose.ts'
import type { Connection, ConnectionQuery, OwnPlace } from '../../src/connections/connection.ts'
import type { Place, Refund } from '../../src/networks/contract.ts'
import { amount } from '../core/shop.ts'
import { type FakeNetwork, fakeConnection } from './fake-connection.ts'

const LIMITS = { decimals: 0, min: amount('500'), max: amount('5000000') }

/** The account of the organization that the orders of these tests are for. */
const OWN_PLACE: OwnPlace = {
  organization: 7,
  account: 70,
  currency: 'UGX',
  country: null,
  collects: true,
  pays_out: true,
}

/** A connection to a network of Uganda with a place of organization 7. */
function connection(slug: string, changes: Partial<Connection> = {}, network: Partial<FakeNetwork> = {}): Connection {
  const made = fakeConnection({
    code: slug,
    name: slug,
    limits: LIMITS,
    phones: /^\+25677/,
    currency: 'UGX',
    charge: async () => ({ outcome: 'accepted', remote_id: '1' }),
    payout: async () => ({ outcome: 'accepted', remote_id: '1' }),
    ...network,
    connection: { slug, places: [OWN_PLACE], ...changes },
  })
  const places = made.driver.places.map((place: Place) => ({ ...place, country: 'UG' }))
  return { ...made, driver: { ...made.driver, places } }
}

const place = (changes: Partial<OwnPlace>) => ({ places: [{ ...OWN_PLACE, ...changes }] })

/** The simulated network of the sandbox: it needs no place, and carries everything. */
const sandbox = () =>
  connection(
    'sandbox',
    { places: null, priority: 1 },
    { phones: /^\+/, limits: { decimals: 4, min: 1n, max: amount('9000000000') } },
  )

const query: ConnectionQuery = { kind: 'charge', organization: 7, phonenumber: '+256772000001', currency: 'UGX' }

interface Case {
  rule: string
  list: Connection[]
  query?: Partial<ConnectionQuery>
  chosen: string | undefined
}

const two_decimals = { limits: { ...LIMITS, decimals: 2 } }
const degraded = { is_degraded: () => true }

const CASES: Case[] = [
  { rule: 'none without connections', list: [], chosen: undefined },
  {
    rule: 'one that serves the phone',
    list: [connection('kenya', {}, { phones: /^\+254/ }), connection('uganda')],
    chosen: 'uganda',
  },
  { rule: 'none in another currency', list: [connection('a')], query: { currency: 'KES' }, chosen: undefined },
  {
    rule: 'none for another phone',
    list: [connection('a')],
    query: { phonenumber: '+2348031234567' },
    chosen: undefined,
  },
  { rule: 'no draft', list: [connection('a', { state: 'draft' })], chosen: undefined },
  {
    rule: 'none that is paused',
    list: [connection('a', { state: 'paused' }), connection('b', { priority: 200 })],
    chosen: 'b',
  },
  {
    rule: "the organization's own before the operator's",
    list: [connection('shared', { priority: 1 }), connection('own', { organization: 7, priority: 9 })],
    chosen: 'own',
  },
  {
    rule: "never another organization's",
    list: [connection('other', { organization: 8, priority: 1 })],
    chosen: undefined,
  },
  {
    rule: 'the smallest priority',
    list: [connection('late', { priority: 2 }), connection('early', { priority: 1 })],
    chosen: 'early',
  },
  {
    rule: 'one where an account has a place',
    list: [connection('a', { places: [], priority: 1 }), connection('b')],
    chosen: 'b',
  },
  {
    rule: "not by another organization's place",
    list: [connection('a', place({ organization: 8 }))],
    chosen: undefined,
  },
  {
    rule: 'not by a place in another currency',
    list: [connection('a', place({ currency: 'KES' }))],
    chosen: undefined,
  },
  {
    rule: 'one where the named account has a place',
    list: [connection('a', { priority: 1 }), connection('b', place({ account: 71 }))],
    query: { account: 71 },
    chosen: 'b',
  },
  {
    rule: 'none to collect where the place only pays out',
    list: [connection('a', place({ collects: false }))],
    chosen: undefined,
  },
  {
    rule: 'one to pay out where the place does',
    list: [connection('a', { priority: 1, ...place({ pays_out: false }) }), connection('b')],
    query: { kind: 'payout' },
    chosen: 'b',
  },
  {
    rule: 'one whose number is for the country',
    list: [connection('a', { priority: 1, ...place({ country: 'KE' }) }), connection('b', place({ country: 'UG' }))],
    chosen: 'b',
  },
  {
    rule: 'one that can do the operation',
    list: [connection('collects', { priority: 1 }, { payout: undefined }), connection('both')],
    query: { kind: 'payout' },
    chosen: 'both',
  },
  {
    rule: 'another for an amount with decimals',
    list: [connection('whole', { priority: 1 }), connection('exact', {}, two_decimals)],
    query: { amount: amount('1000.50') },
    chosen: 'exact',
  },
  {
    rule: 'the first for an amount that both carry',
    list: [connection('whole', { priority: 1 }), connection('exact', {}, two_decimals)],
    query: { amount: amount('1000') },
    chosen: 'whole',
  },
  {
    rule: 'the first when none carries the amount',
    list: [connection('whole', { priority: 1 }), connection('exact', {}, two_decimals)],
    query: { amount: amount('1') },
    chosen: 'whole',
  },
  {
    rule: 'another than a degraded one',
    list: [connection('a', { priority: 1, ...degraded }), connection('b')],
    chosen: 'b',
  },
  {
    rule: 'a degraded one when it alone serves the phone',
    list: [connection('a', degraded), connection('b', {}, { phones: /^\+25670/ })],
    chosen: 'a',
  },
  {
    rule: 'a degraded one rather than one that cannot carry the amount',
    list: [connection('a', degraded), connection('b', {}, { limits: { ...LIMITS, max: amount('600') } })],
    query: { amount: amount('1000') },
    chosen: 'a',
  },
  {
    rule: "a degraded own one after the operator's",
    list: [connection('own', { organization: 7, ...degraded }), connection('shared')],
    chosen: 'shared',
  },
  {
    rule: 'another where the network states a lower limit',
    list: [connection('a', { priority: 1, statedLimits: () => ({ ...LIMITS, max: amount('900') }) }), connection('b')],
    query: { amount: amount('1000') },
    chosen: 'b',
  },
  {
    rule: 'another where the network says that it is down for this phone',
    list: [connection('a', { priority: 1, statedLimits: () => ({ ...LIMITS, is_down: true }) }), connection('b')],
    chosen: 'b',
  },
  {
    rule: 'one that is down where there is no other',
    list: [connection('a', { statedLimits: () => ({ ...LIMITS, is_down: true }) })],
    chosen: 'a',
  },
  { rule: "the sandbox's own network last", list: [sandbox(), connection('a')], chosen: 'a' },
  {
    rule: "the sandbox's own network for everything else",
    list: [sandbox(), connection('a')],
    query: { phonenumber: '+256702000001' },
    chosen: 'sandbox',
  },
  {
    rule: "the sandbox's own network for an amount that no other carries",
    list: [sandbox(), connection('a')],
    query: { amount: amount('0.5') },
    chosen: 'sandbox',
  },
  {
    rule: 'the network that a ported number has moved to',
    list: [connection('mtn', { priority: 1 }), connection('airtel', {}, { phones: /^\+25670/ })],
    query: { network_name: 'airtel' },
    chosen: 'airtel',
  },
  {
    rule: 'by the prefix where the network of a ported number is not connected',
    list: [connection('mtn')],
    query: { network_name: 'airtel' },
    chosen: 'mtn',
  },
  {
    rule: 'by the prefix where the network of a ported number may not be used',
    list: [connection('mtn'), connection('airtel', { places: [] }, { phones: /^\+25670/ })],
    query: { network_name: 'airtel' },
    chosen: 'mtn',
  },
  {
    rule: 'by priority where the known network agrees with the prefix',
    list: [connection('mtn'), connection('aggregator', { priority: 1 })],
    query: { network_name: 'mtn' },
    chosen: 'aggregator',
  },
]

describe('the choice of a connection takes', () => {
  it.each(CASES)('$rule', ({ list, query: changes, chosen }) => {
    expect(chooseConnection(list, { ...query, ...changes })?.slug).toBe(chosen)
  })

  it('the accounts along that may use it', () => {
    const list = [
      connection('a', {
        places: [OWN_PLACE, { ...OWN_PLACE, account: 71 }, { ...OWN_PLACE, organization: 8, account: 80 }],
      }),
    ]
    expect(chooseConnection(list, query)?.accounts).toEqual([70, 71])
    expect(chooseConnection([sandbox()], query)?.accounts).toBe(null)
  })
})

describe('a missing connection is explained', () => {
  const why = (list: Connection[], changes: Partial<ConnectionQuery> = {}) => {
    const found = findConnection(list, { ...query, ...changes })
    return 'field' in found ? `${found.field}: ${found.message}` : found.slug
  }

  it('when nothing is connected', () => {
    const none =
      'phonenumber: No network is connected yet. An operator connects one with `npx kusanya connections add`.'
    expect(why([])).toBe(none)
    expect(why([connection('other', { organization: 8 })])).toBe(none)
  })

  it('when nothing is in use', () => {
    expect(why([connection('a', { state: 'draft' })])).toBe(
      'phonenumber: No network is in use now: all connections are drafts or paused.',
    )
  })

  it('with the networks that there are', () => {
    const list = [
      connection('MTN'),
      connection('Airtel', {}, { phones: /^\+25670/ }),
      connection('KCB', {}, { currency: 'KES' }),
    ]
    expect(why(list, { phonenumber: '+256782000001' })).toBe(
      'phonenumber: No network serves this number in UGX. In UGX there are: MTN, Airtel.',
    )
    expect(why(list, { currency: 'NGN' })).toBe('phonenumber: No network serves this number in NGN.')
  })

  it('when the only one is paused', () => {
    expect(why([connection('MTN', { state: 'paused' }), connection('Airtel', {}, { phones: /^\+25670/ })])).toBe(
      'phonenumber: MTN serves this number, but is paused now.',
    )
  })

  it('when no account may use it, or it cannot do it', () => {
    expect(why([connection('MTN', { places: [] })])).toBe(
      'phonenumber: MTN serves this number, but none of your accounts in UGX may collect there.',
    )
    expect(why([connection('MTN', {}, { payout: undefined })], { kind: 'payout' })).toBe(
      'phonenumber: MTN serves this number, but cannot pay out.',
    )
  })

  it('when several serve the number and none carries the amount', () => {
    const list = [
      connection('MTN'),
      connection('Airtel', {}, { limits: { ...LIMITS, decimals: 2, max: amount('900') } }),
    ]
    expect(why(list, { amount: amount('1000.50') })).toBe(
      'amount: No network of this number carries this amount: MTN takes whole amounts from 500 to 5,000,000; Airtel takes amounts with at most 2 decimals from 500 to 900.',
    )
    expect(why([connection('MTN')], { amount: amount('1') })).toBe('MTN')
  })
})

it('network names of ported numbers are read only if there are several networks', () => {
  expect(hasSeveralNetworks([sandbox(), connection('a')], 7)).toBe(false)
  expect(hasSeveralNetworks([connection('a'), connection('b')], 7)).toBe(true)
  expect(hasSeveralNetworks([connection('a'), connection('b', { organization: 8 })], 7)).toBe(false)
  expect(hasSeveralNetworks([connection('a'), connection('b', { state: 'draft' })], 7)).toBe(false)
})

type Charge = Refund['charge']
const chargeOf = (sum: string): Charge => ({
  reference: 'KR1-1',
  remote_id: null,
  transaction: 'RECEIPT',
  amount: amount(sum),
})

describe('the connection of a refund', () => {
  const refund = async () => ({ outcome: 'accepted', remote_id: '1' }) as const
  const other = connection('other', { priority: 1 })
  const whole_only = { refund, payout: undefined, traits: { refund: { refunds: 'full' } } } as const
  const money = {
    connection: 'own',
    organization: 7,
    account: 70,
    phonenumber: '+256772000001',
    currency: 'UGX',
    amount: amount('1000'),
    charge: chargeOf('1000'),
  }
  const part = { charge: chargeOf('2000') }
  const needs_receipt = { ...whole_only, canRefund: ({ transaction }: Charge) => transaction === 'RECEIPT' }
  const without_receipt = { charge: { ...chargeOf('1000'), transaction: 'KR1-1' } }

  const cases: { rule: string; own: Connection; changes?: { charge: Charge | null }; chosen: string }[] = [
    { rule: 'its own that needs a receipt and has it', own: connection('own', {}, needs_receipt), chosen: 'own' },
    {
      rule: 'another if its own needs a receipt that is not known',
      own: connection('own', {}, needs_receipt),
      changes: without_receipt,
      chosen: 'other',
    },
    { rule: 'its own, although another is preferred for payouts', own: connection('own'), chosen: 'own' },
    { rule: 'its own that can only refund', own: connection('own', {}, whole_only), chosen: 'own' },
    {
      rule: 'its own whose place does not pay out, for a refund',
      own: connection('own', place({ pays_out: false }), { refund }),
      chosen: 'own',
    },
    {
      rule: 'another if its own can only refund, and the money has no charge',
      own: connection('own', {}, whole_only),
      changes: { charge: null },
      chosen: 'other',
    },
    {
      rule: 'another if its own can only refund whole charges, and this is a part',
      own: connection('own', {}, whole_only),
      changes: part,
      chosen: 'other',
    },
    {
      rule: 'its own for a part that it can pay out',
      own: connection('own', {}, { refund, traits: whole_only.traits }),
      changes: part,
      chosen: 'own',
    },
    { rule: 'another while its own is paused', own: connection('own', { state: 'paused' }), chosen: 'other' },
    {
      rule: 'another if its own does not carry the amount',
      own: connection('own', {}, { limits: { ...LIMITS, min: amount('5000') } }),
      chosen: 'other',
    },
    {
      rule: 'another if the account has no number on its own',
      own: connection('own', place({ account: 71 }), { refund }),
      chosen: 'other',
    },
  ]
  it.each(cases)('is $rule', ({ own, changes, chosen }) => {
    expect(chooseRefundConnection([other, own], { ...money, ...changes })?.slug).toBe(chosen)
  })

  it('is none if no connection can send the money', () => {
    expect(chooseRefundConnection([connection('own', {}, whole_only)], { ...money, ...part })).toBeUndefined()
  })
})
