import { gsmaMomo } from '../../../src/networks/gsma-momo/index.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import * as gsma from '../../networks/gsma-momo/gsma-test.ts'
import { linesOf, type Part, recorder } from './rig.ts'

const { calls, open, recorded } = recorder(gsmaMomo, {
  environment: 'test',
  settings: gsma.settings,
  now: gsma.NOW,
  hosts: { api: 'https://api.example.com/1.2.0/mm', token: 'https://api.example.com/token' },
})

const part = ({ status, body }: gsma.Answer, ...decides: string[]): Part => ({ status, body, decides })
const token = part(gsma.tokenAnswer, 'access_token')
const accepted = part(gsma.accepted, 'serverCorrelationId', 'status')
const completed = part(gsma.completed, 'serverCorrelationId', 'status', 'objectReference')
const error = (status: number, category: string, code: string, ...decides: string[]) =>
  part(gsma.error(status, category, code), ...decides)

const MONEY = ['transactionReference', 'transactionStatus', 'amount', 'currency']
const money = (more: Record<string, unknown> = {}, ...decides: string[]) =>
  part(
    gsma.transaction({
      fees: [{ feeType: 'x', feeAmount: '25', feeCurrency: 'UGX' }],
      geoCode: '0',
      receivingLei: 'X',
      metadata: [{ key: 'a', value: 'b' }],
      descriptionText: 'Rent',
      displayType: 'x',
      servicingIdentity: 'y',
      ...more,
    }),
    ...MONEY,
    'requestingOrganisationTransactionReference',
    ...decides,
  )

const line = (id: string) => (gsma.transaction({ transactionReference: id }) as { body: object }).body
const pay = { ...gsma.payout, remote_id: gsma.REQUEST, currency: 'UGX', amount: 50_000_000n }
const back = { ...gsma.refund, remote_id: gsma.REQUEST }

const unseen = error(404, 'identification', 'identifierError')
const gone = { 'charge status response': unseen, 'charge status transaction': unseen }

export const recordedGsma = recorded([
  calls('charge', ({ charge }) => charge(gsma.order), { token, charge: accepted }),
  calls(
    'charge',
    ({ charge }) => charge(gsma.order),
    {
      token,
      charge: error(400, 'identification', 'identifierError', 'errorCode'),
      'charge status response': error(404, 'identification', 'identifierError', 'errorCategory', 'errorCode'),
    },
    { about: 'that is refused' },
  ),
  calls('chargeStatus', ({ chargeStatus }) => chargeStatus(gsma.taken), {
    token,
    'charge status': completed,
    'charge status response': part(gsma.link(`/transactions/${gsma.MONEY}`), 'link'),
    'charge status transaction': money(),
  }),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(gsma.taken),
    {
      token,
      'charge status': part(
        gsma.state({
          status: 'failed',
          errorReference: {
            errorCategory: 'businessRule',
            errorCode: 'insufficientFunds',
            errorDescription: 'Too little money',
            errorDateTime: '2026-11-22T08:00:01Z',
            errorParameters: [{ key: 'amount', value: '5000' }],
          },
        }),
        'serverCorrelationId',
        'status',
      ),
      ...gone,
    },
    { about: 'that has failed' },
  ),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(gsma.order),
    {
      token,
      'charge status response': part(gsma.link(`/transactions/${gsma.MONEY}`), 'link'),
      'charge status transaction': money(),
    },
    { about: 'whose answer was lost' },
  ),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(gsma.taken),
    { token, 'charge status': { ...accepted, status: 200 }, ...gone },
    { about: 'that is open' },
  ),
  calls('payout', ({ payout }) => payout(gsma.payout), { token, payout: accepted }),
  calls('payoutStatus', ({ payoutStatus }) => payoutStatus(pay), {
    token,
    'payout status': completed,
    'payout status response': part(gsma.link(`/transactions/${gsma.MONEY}`), 'link'),
    'payout status transaction': money({ type: 'disbursement' }),
  }),
  calls('refund', ({ refund }) => refund(gsma.refund), { token, refund: accepted }),
  calls('refundStatus', ({ refundStatus }) => refundStatus(back), {
    token,
    'refund status': part(
      gsma.state({ status: 'completed', objectReference: 'REF-2' }),
      'serverCorrelationId',
      'status',
      'objectReference',
    ),
    'refund status response': part(gsma.link('/transactions/REF-2'), 'link'),
    'refund status transaction': money({ transactionReference: 'REF-2', type: 'reversal' }),
  }),
  calls('accountHolder', ({ accountHolder }) => accountHolder('+256772123456'), {
    token,
    'account holder': part(
      {
        status: 200,
        body: { name: { title: 'Mrs', firstName: 'Grâce', lastName: 'Akello', fullName: 'Grâce Akello' }, lei: 'X' },
        // A name alone identifies the owner of the account.
      },
      'name',
    ),
    'account holder status': part({ status: 200, body: { accountStatus: 'available', subStatus: 'x' } }),
  }),
  calls(
    'accountHolder',
    ({ accountHolder }) => accountHolder('+256772123456'),
    {
      token,
      'account holder': part(
        { status: 200, body: { accountStatus: 'available', subStatus: 'x', lei: '' } },
        'accountStatus',
      ),
    },
    { about: 'without a name', given: { holder_names: false } },
  ),
  calls('balance', ({ balance }) => balance(), {
    token,
    balance: part(
      {
        status: 200,
        body: {
          currentBalance: '1500.00',
          availableBalance: '1500.00',
          reservedBalance: '0',
          unclearedBalance: '0',
          currency: 'UGX',
          accountStatus: 'available',
        },
      },
      'currentBalance',
      'availableBalance',
      'currency',
    ),
  }),
  calls('transaction', ({ transaction }) => transaction({ remote_id: gsma.MONEY }), {
    token,
    transaction: money({}, 'creditParty.*.key', 'creditParty.*.value'),
  }),
  calls('statement', ({ statement }) => linesOf(statement({ from: new Date(0), to: new Date(1) })), {
    token,
    statement: {
      ...part(
        { status: 200, body: [line('REF-1'), line('REF-2')] },
        ...[...MONEY, 'creditParty.*.key', 'creditParty.*.value'].map((name) => `*.${name}`),
      ),
      headers: { 'x-records-available-count': '2' },
    },
  }),
  {
    operation: 'readCallback',
    parts: { callback: part(gsma.transaction()) },
    run: ({ callback }) =>
      open({}, {}).readCallback!(
        rawCallback({ method: 'PUT', headers: { 'x-correlationid': gsma.REFERENCE }, body: callback!.text }),
      ),
  },
])
