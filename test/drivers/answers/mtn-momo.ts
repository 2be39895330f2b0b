import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import * as mtn from '../../networks/mtn-momo/mtn-test.ts'
import { type Part, recorder } from './rig.ts'

const { calls, open, recorded } = recorder(mtnMomo, {
  environment: 'production',
  hosts: { api: 'https://api.example.com' },
  settings: mtn.uganda,
  now: new Date('2026-11-22T08:00:00Z'),
})

const token: Part = { body: mtn.tokenAnswer.body, decides: ['access_token'] }
const refused = (status: number, code: string): Part => ({ status, body: { message: 'Said by MTN.', code } })
const not_found: Part = { ...refused(404, 'RESOURCE_NOT_FOUND'), decides: ['code'] }
const taken: Part = { status: 202, body: {} }

/** The state of an order. What MTN says about the payer and the texts is not needed. */
const state = (more: Record<string, unknown>): Part => ({
  body: mtn.state(more).body,
  decides: ['status', 'amount', 'currency', 'externalId', 'financialTransactionId'],
})
const paid = state({ status: 'SUCCESSFUL', financialTransactionId: '23503452' })
const failed = (reason: unknown): Part => state({ status: 'FAILED', reason })
const unknown_payer = { code: 'PAYER_NOT_FOUND', message: 'Payer not found' }

const callback: Part = {
  body: {
    externalId: mtn.REFERENCE,
    referenceId: mtn.REFERENCE,
    amount: '1500',
    status: 'SUCCESSFUL',
    reason: unknown_payer,
  },
}

export const recordedMtn = recorded([
  calls('charge', ({ charge }) => charge(mtn.order), { token, charge: taken, 'charge status': not_found }),
  calls(
    'charge',
    ({ charge }) => charge(mtn.order),
    { token, charge: refused(400, 'PAYER_NOT_FOUND'), 'charge status': not_found },
    { about: 'that is refused' },
  ),
  calls('chargeStatus', ({ chargeStatus }) => chargeStatus(mtn.order), { token, 'charge status': paid }),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(mtn.order),
    { token, 'charge status': state({ status: 'PENDING' }) },
    { about: 'that is open' },
  ),
  ...[unknown_payer, 'APPROVAL_REJECTED', { code: 5001 }].map((reason) =>
    calls(
      'chargeStatus',
      ({ chargeStatus }) => chargeStatus(mtn.order),
      { token, 'charge status': failed(reason) },
      { about: `that has failed with ${JSON.stringify(reason)}` },
    ),
  ),
  calls('payout', ({ payout }) => payout(mtn.payout), { token, payout: taken, 'payout status': not_found }),
  calls('payoutStatus', ({ payoutStatus }) => payoutStatus(mtn.payout), { token, 'payout status': paid }),
  calls('refund', ({ refund }) => refund(mtn.refund), { token, refund: taken, 'refund status': not_found }),
  calls('refundStatus', ({ refundStatus }) => refundStatus(mtn.refund), { token, 'refund status': paid }),
  calls('accountHolder', ({ accountHolder }) => accountHolder(mtn.order.phonenumber), {
    token,
    'account holder': { body: { result: true }, decides: ['result'], words: ['false'] },
    'account holder name': {
      body: { name: 'Grace Akello', given_name: 'Grace', family_name: 'Akello', sub: '0', locale: 'en', updated_at: 1 },
    },
  }),
  calls('balance', ({ balance }) => balance(), {
    token,
    balance: { body: { availableBalance: '1000', currency: 'UGX' }, decides: ['availableBalance', 'currency'] },
  }),
  {
    operation: 'readCallback',
    parts: { callback },
    run: ({ callback: sent }) =>
      open({}, {}).readCallback!(rawCallback({ method: 'PUT', path: `/${mtn.REFERENCE}`, body: sent!.text })),
  },
])
