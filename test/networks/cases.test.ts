import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/* docs/networks.md says what is right in each case. Each has tests, which are named here. */

const SELLERS = 'test/jobs/bills/several-sellers.test.ts'
const VENDS = 'test/jobs/orders/vend-bills.slow.test.ts'

/** The titles of the tests of each case, by their files. */
const TESTS: Record<string, Record<string, string[]>> = {
  'Money for an order whose request has ended': {
    'test/jobs/orders/network-orders.test.ts': [
      'asks about an order until the end, also after its request has expired, and records money that comes late',
    ],
  },
  'Money from before the end of a request, recorded after it': {
    'test/core/collections/paid-requests.test.ts': ['does not change, but is reported if it was paid before its end'],
  },
  'A charge succeeds after it had failed': {
    'test/core/collections/charges/late-answers.test.ts': [
      'is credited once, as money that no open request asked for, and the request stays failed',
    ],
  },
  'A charge fails after it had succeeded': {
    'test/core/collections/charges/attempts.test.ts': ['after the request has ended changes nothing'],
  },
  'An earlier attempt is paid while a later one is open': {
    'test/core/collections/charges/attempts.test.ts': ['is not changed by a late answer about an earlier attempt'],
  },
  'Two attempts of one request are paid': {
    'test/core/collections/charges/late-answers.test.ts': [
      'fulfil the request once; the other money is credited and unmatched',
    ],
  },
  'The same money under two ids (callback, status, statement)': {
    'test/core/collections/charges/paid-orders.test.ts': [
      'is recorded once, also when callback and question give it different ids',
      'stands under our reference until the network gives its id, which is filled in',
    ],
  },
  'Money that may be in the books twice': {
    'test/core/collections/charges/paid-orders.test.ts': ['is reported when it may be in the books twice'],
  },
  'The same report again, in one batch or several processes': {
    'test/core/collections/incoming-payments.test.ts': [
      'is recorded once, even if it is reported several times at once',
      'is recorded once when one batch contains it twice',
    ],
  },
  'Another amount than ordered': {
    'test/core/collections/charges/paid-orders.test.ts': [
      'with another amount is recorded as it came, matched to nothing, and closes the order',
    ],
  },
  'Another currency than ordered': {
    'test/core/collections/charges/late-answers.test.ts': [
      'waits for an account, closes the order, and neither the request nor the wallet changes',
    ],
  },
  'Another receiver than ordered, with our order': {
    'test/core/collections/charges/paid-orders.test.ts': [
      'belongs to the account of its request, also when the receiver number is unknown',
    ],
  },
  'An unknown receiver, without an order': {
    'test/core/collections/incoming-payments.test.ts': [
      'to an unknown receiver, or in another currency than its account, is kept and in no books',
    ],
  },
  'A report names an order of another connection': {
    'test/core/collections/charges/paid-orders.test.ts': ['names no order of another connection'],
  },
  'A callback answers an order of another connection': {
    'test/jobs/process-callbacks.test.ts': ['is ignored if it names an order of another connection'],
  },
  'The network takes all of it back': {
    'test/core/collections/charges/paid-orders.test.ts': [
      'that the network has taken back is out of the books, and the order says so',
    ],
    'test/core/collections/incoming-payments-reversal.test.ts': ['overdraws the wallet if the money was spent'],
  },
  'It takes a part back': {
    'test/core/collections/incoming-payments-reversal.test.ts': [
      'takes that part from the wallet, and the request and the collection stay successful',
      'is taken once, and several add up until nothing is left',
    ],
  },
  'The reversal comes before the money': {
    'test/core/collections/charges/late-answers.test.ts': [
      'leaves no money in the books, also when the success is reported later',
      'may come as the answer about the order, and closes it',
    ],
  },
  'A part is taken back before the money is reported': {
    'test/core/collections/incoming-payments-reversal.test.ts': [
      'may be reported before the payment, and with a reversal of everything in one batch',
      'leaves less to match: the money no longer fulfils a request of the whole amount',
    ],
  },
  'A payout succeeds after it had failed': {
    'test/core/payments/payouts.test.ts': [
      'takes money that was sent after a failure from the wallet once, and reports it once',
      'overdraws a wallet that has spent the money meanwhile',
    ],
  },
  'It succeeds after a failure, with another amount': {
    'test/core/payments/payouts.test.ts': ['does not book another amount than the ordered one, and reports it once'],
  },
  'It succeeds with another amount while open': {
    'test/jobs/send-payments.test.ts': ['does not accept another amount than the ordered one'],
  },
  'No answer for a long time': {
    'test/jobs/send-payments.test.ts': [
      'holds the money while the result is unknown, and parks the recipient after a while',
    ],
  },
  'The same answer again, in several processes': {
    'test/jobs/send-payments.test.ts': ['applies the same answer once, from several processes'],
  },
  'The network takes all of it back, before or after its success': {
    'test/jobs/send-payments.test.ts': [
      'returns reversed money once, also if the report is early, repeated, or about several recipients',
    ],
  },
  'Its success is reported after the reversal': {
    'test/core/payments/payouts.test.ts': ['takes no money for a success that is reported after the reversal'],
  },
  'A part comes back': {
    'test/core/payments/payouts.test.ts': [
      'returns parts once each, and the rest with the fee when everything comes back',
    ],
  },
  'A refund is refused': {
    'test/core/payments/refund-orders.test.ts': [
      'releases the money when the network refuses it, so that it can be refunded again',
    ],
    'test/jobs/orders/refunds.test.ts': ['a refund that the network refuses is an error, and its money is free again'],
  },
  'A refund succeeds after it was refused': {
    'test/core/payments/refund-orders.test.ts': [
      'takes the money again when it succeeds after it was refused, and a person is told',
    ],
  },
  'A refund without an answer': {
    'test/jobs/orders/refunds.test.ts': ['a refund without an answer is asked about and not sent again'],
    'test/core/payments/refund-orders.test.ts': ['holds the money while the outcome is unknown'],
  },
  'A refund is reversed': {
    'test/core/payments/refund-orders.test.ts': ['gives the money back when the network reverses it'],
  },
  'Within the time that an order may be on its way (`in_flight_s`, and the time of a call)': {
    'test/jobs/orders/order-rules.test.ts': [
      'is sent again under the same reference only when it can no longer be on its way',
    ],
    'test/jobs/send-payments.test.ts': [
      'sends nothing again while a payout may be on its way, although the network does not know it',
    ],
  },
  'After this time': {
    'test/jobs/send-payments.test.ts': ['sends the same reference again when the network certainly does not know it'],
  },
  'After it, where `not_found` proves nothing': {
    'test/jobs/orders/order-rules.test.ts': ['is not sent again where that is never certain'],
    'test/jobs/send-payments.test.ts': ['sends nothing again to a network that is never certain'],
  },
  'After it, where a second call makes a second order': {
    'test/jobs/orders/order-rules.test.ts': ['is not sent again where a second one charges again, and needs a person'],
  },
  'After the network had accepted it': {
    'test/jobs/orders/order-rules.test.ts': ['is not sent again when the network had accepted it once'],
  },
  'After its request has ended': { 'test/jobs/orders/order-rules.test.ts': ['is closed when its request has ended'] },
  'The question is older than the second sending': {
    'test/jobs/send-payments.test.ts': [
      'ignores that a payout is not known when it was sent again since the check began',
    ],
  },
  'The query is taken, and the answer comes at our callback address': {
    'test/jobs/orders/order-rules.test.ts': ['is asked by its own schedule, and the order waits'],
  },
  'It can be asked only by an id that the network has not given': {
    'test/jobs/orders/order-rules.test.ts': [
      'is not asked before it has given one; a callback can end the order, and after a day a person must',
    ],
  },
  'An unsigned callback': {
    'test/jobs/process-callbacks.test.ts': ['has the order checked, and the answer is applied'],
    'test/jobs/send-payments.test.ts': ['checks the payout of an unsigned callback before it applies the result'],
  },
  'An unsigned callback of a network that cannot be asked': {
    'test/jobs/process-callbacks.test.ts': ['is never credited if the network cannot be asked'],
  },
  'The provider did not sell, for a reason about the customer': {
    [SELLERS]: ['ends when the customer is the reason, and when no provider is left'],
  },
  'The provider did not sell, for a reason about itself': {
    [SELLERS]: ['moves on after a refusal that is about the provider, with a reference of its own, once each'],
  },
  'It does not know the purchase, while that may be on its way': {
    [VENDS]: ['only checks a purchase whose process died before the call, and releases its money'],
  },
  'It does not know the purchase, after that': {
    [SELLERS]: ['moves on when the first provider has certainly never got it, and not before'],
  },
  'It does not know the purchase, where `not_found` proves nothing': {
    [SELLERS]: ['stays where it is when not found is never certain'],
  },
  'The provider does not say what happened': {
    [SELLERS]: ['never goes to a second provider while the first one does not say what happened'],
    [VENDS]: [
      'keeps the money on hold while the result is unknown, checks at growing intervals, and applies the answer',
    ],
  },
  'Prepaid electricity is sold, and its token is not known': {
    [VENDS]: ['keeps a successful prepaid purchase pending until its token arrives'],
  },
  'A second final answer': { [VENDS]: ['applies only the first final answer'] },
  'It was sold after it had failed': {
    [VENDS]: ['logs when the biller has sold a purchase that was recorded as failed'],
  },
  'It was sold after it had moved to another provider': {
    [SELLERS]: ['that a provider sold after all, once another one was tried, needs a person and is not paid twice'],
  },
}

/** The first cells of the tables of cases. */
const cases = readFileSync('docs/networks.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Case '))
  .map((line) => line.slice(2).split(' | ')[0]!)

describe('the cases of late money and late answers', () => {
  it('are those that have tests', () => {
    expect(cases.length).toBeGreaterThan(30)
    expect(cases).toEqual(Object.keys(TESTS))
  })

  it('have tests that exist', () => {
    const isMissing = ([file, title]: [string, string]) =>
      !existsSync(file) || !['it', ')'].some((call) => readFileSync(file, 'utf8').includes(`${call}('${title}'`))
    const named = Object.values(TESTS).flatMap((files) =>
      Object.entries(files).flatMap(([file, titles]) => titles.map((title): [string, string] => [file, title])),
    )
    expect(named.filter(isMissing)).toEqual([])
  })
})
