import { createHmac } from 'node:crypto'
import { sandbox } from '../../../src/networks/sandbox.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { type Part, type Recording, recorder } from './rig.ts'

const SECRET = 'the secret of the sandbox'
const { calls, open, recorded } = recorder(sandbox, {
  environment: 'sandbox',
  hosts: { api: 'https://api.example.com' },
  settings: { secret: SECRET },
  now: new Date('2026-11-22T08:00:00Z'),
})

const REFERENCE = '3f0c2a4e-8a53-4f0e-9d57-6c1b2a7e9f10'
const parts = { phonenumber: '+80000000002', amount: 15_000_000n, currency: 'BXC', reason: 'Rent', remote_id: null }
const order = { ...parts, reference: REFERENCE, receiver: '700100' }
const payout = { ...parts, reference: REFERENCE, sender: '700100', kind: 'money' } as const
const charge_parts = { reference: 'x', remote_id: 'x', transaction: 'SBX123', amount: 15_000_000n }
const refund = { ...parts, reference: REFERENCE, sender: '700100', charge: charge_parts }

const transaction = {
  remote_id: 'SBX123',
  status: 'successful',
  receiver: '700100',
  phonenumber: '+80000000002',
  amount: '1500.0000',
  currency: 'BXC',
  order_reference: REFERENCE,
  reference: null,
  name: 'Sandbox Customer',
  paid_at: '2030-01-02T03:04:05.678Z',
  reversals: [{ remote_id: 'SBX9', amount: '1' }],
}
const TRANSACTION = [
  'remote_id',
  'status',
  'order_reference',
  'receiver',
  'amount',
  'currency',
  'reversals.*.remote_id',
  'reversals.*.amount',
]
const within = (member: string, names: readonly string[]) => names.map((name) => `${member}.${name}`)

const pending = (state: object = {}): Part => ({
  status: 202,
  body: { reference: REFERENCE, state: 'pending', remote_id: 'SBO1', ...state },
  decides: ['reference', 'state', 'remote_id'],
})
const failure = { reason: 'wrong_pin', message: 'Wrong PIN' }
const failed: Part = { body: { reference: REFERENCE, state: 'failed', failure }, decides: ['reference', 'state'] }
const paid_out: Part = {
  body: {
    reference: REFERENCE,
    state: 'paid',
    transaction: 'SBX1',
    amount: '1500',
    reversals: [{ remote_id: 'R', amount: '1' }],
  },
  decides: ['reference', 'state', 'transaction', 'amount', 'reversals.*.remote_id', 'reversals.*.amount'],
}

const callback = (about: string, body: object, decides: readonly string[]): Recording => ({
  operation: 'readCallback',
  about,
  parts: { callback: { body, decides } },
  run: ({ callback: sent }) => open({}, {}).readCallback!(signed(sent!.text)),
})
const signed = (body: string) =>
  rawCallback({ body, headers: { 'x-sandbox-signature': createHmac('sha256', SECRET).update(body).digest('hex') } })

export const recordedSandbox = recorded([
  calls('charge', ({ charge }) => charge(order), { charge: pending() }),
  calls(
    'charge',
    ({ charge }) => charge(order),
    { charge: { status: 400, body: { error: 'invalid_order', message: 'No.' }, decides: ['error'] } },
    { about: 'that is refused' },
  ),
  calls('registerExpectedPayment', ({ registerExpectedPayment }) => registerExpectedPayment(order), {
    charge: pending(),
  }),
  calls('chargeStatus', ({ chargeStatus }) => chargeStatus(order), {
    'charge status': {
      body: { reference: REFERENCE, state: 'paid', transaction },
      decides: ['reference', 'state', ...within('transaction', TRANSACTION)],
    },
  }),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(order),
    { 'charge status': failed },
    { about: 'that has failed' },
  ),
  calls('payout', ({ payout: send }) => send(payout), { payout: pending() }),
  calls('payoutStatus', ({ payoutStatus }) => payoutStatus(payout), { 'payout status': paid_out }),
  calls('refund', ({ refund: send }) => send(refund), { refund: pending() }),
  calls('refundStatus', ({ refundStatus }) => refundStatus(refund), { 'refund status': failed }),
  calls('accountHolder', ({ accountHolder }) => accountHolder('+80000000002'), {
    'account holder': { body: { phonenumber: '+80000000002', name: 'Grace' }, decides: ['phonenumber'] },
  }),
  calls('transaction', ({ transaction: find }) => find({ remote_id: 'SBX123' }), {
    transaction: { body: transaction, decides: TRANSACTION },
  }),
  callback('about money', { event: 'payment.received', transaction }, ['event', ...within('transaction', TRANSACTION)]),
  callback('about a prompt that has failed', { event: 'order.failed', order: failed.body }, [
    'event',
    'order.reference',
    'order.state',
  ]),
  callback('about a payout', { event: 'payout.ended', payout: paid_out.body }, [
    'event',
    ...within('payout', paid_out.decides!),
  ]),
  {
    operation: 'readValidation',
    parts: {
      callback: {
        body: { event: 'payment.offered', offer: transaction },
        decides: ['event', ...within('offer', ['remote_id', 'receiver', 'amount', 'currency'])],
      },
    },
    run: ({ callback: sent }) => open({}, {}).readValidation!(signed(sent!.text)),
  },
])
