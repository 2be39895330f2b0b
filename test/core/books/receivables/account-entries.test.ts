import { describe, expect, it } from 'vitest'
import { type AccountEntry, writeAccount } from '../../../../src/core/books/receivables/account-entries.ts'
import type { AccountInvoice, AccountMoney, Loss, Share } from '../../../../src/core/books/receivables/account-facts.ts'
import { shortAmount } from '../../../../src/lib/money.ts'
import { amount } from '../../shop.ts'

const PUPIL = 7
const SISTER = 8
const LATER = new Date('2031-01-01')

const day = (date: number) => new Date(`2030-01-${String(date).padStart(2, '0')}T09:00:00Z`)

function invoice(id: number, total: string, issued: number, voided?: number): AccountInvoice {
  const times = { issued: day(issued), voided: voided === undefined ? null : day(voided) }
  return { id, number: id, total: amount(total), due_date: '2030-02-28', ...times }
}

const paid = (id: number, value: string, shares: Share[], losses: Loss[] = []): AccountMoney => ({
  id,
  amount: amount(value),
  remote_transaction_id: `TX${id}`,
  phonenumber: '+80000000001',
  payment_date: day(1),
  receipt: null,
  shares,
  losses,
})

function share(target: { invoice: number } | { contact: number }, value: string, from: number, until?: number): Share {
  return {
    invoice: null,
    contact: null,
    ...target,
    amount: amount(value),
    created: day(from),
    ended: until === undefined ? null : day(until),
  }
}

const taken = (kind: Loss['kind'], value: string, at: number): Loss => ({
  kind,
  amount: amount(value),
  at: day(at),
  payment: kind === 'refund' ? 99 : null,
})

function write(invoices: AccountInvoice[], moneys: AccountMoney[], until = LATER) {
  const { entries, open } = writeAccount({ invoices, moneys }, PUPIL, until)
  return { entries: entries.map(shown), open: shortAmount(open) }
}

/** An entry in one line, such as `3 payment 1 -85 → 115`: day, kind, invoice or credit, amount and balance. */
function shown({ at, kind, invoice, amount, balance }: AccountEntry): string {
  return `${at.getUTCDate()} ${kind} ${invoice?.id ?? 'credit'} ${shortAmount(amount)} → ${shortAmount(balance)}`
}

describe('the account of a customer', () => {
  it('falls with each part until the invoice is paid', () => {
    const parts = [paid(1, '85', [share({ invoice: 1 }, '85', 3)]), paid(2, '115', [share({ invoice: 1 }, '115', 5)])]
    expect(write([invoice(1, '200', 1)], parts)).toEqual({
      entries: ['1 invoice 1 200 → 200', '3 payment 1 -85 → 115', '5 payment 1 -115 → 0'],
      open: '0',
    })
  })

  it('has what was paid too much as credit, and lets it pay the next invoice', () => {
    const shares = [
      share({ invoice: 1 }, '200', 3),
      share({ contact: PUPIL }, '50', 3, 6),
      share({ invoice: 2 }, '30', 6),
      share({ contact: PUPIL }, '20', 6),
    ]
    expect(write([invoice(1, '200', 1), invoice(2, '30', 6)], [paid(1, '250', shares)])).toEqual({
      entries: [
        '1 invoice 1 200 → 200',
        '3 payment 1 -200 → 0',
        '3 payment credit -50 → -50',
        '6 invoice 2 30 → -20',
        '6 moved credit 30 → 10',
        '6 payment 2 -30 → -20',
      ],
      open: '0',
    })
  })

  it('opens an invoice again when the network takes money back, of the credit first', () => {
    const shares = [share({ invoice: 1 }, '200', 3), share({ contact: PUPIL }, '50', 3)]
    const money = paid(1, '250', shares, [taken('reversal', '40', 4), taken('reversal', '210', 5)])
    expect(write([invoice(1, '200', 1)], [money])).toEqual({
      entries: [
        '1 invoice 1 200 → 200',
        '3 payment 1 -200 → 0',
        '3 payment credit -50 → -50',
        '4 reversal credit 40 → -10',
        '5 reversal 1 200 → 190',
        '5 reversal credit 10 → 200',
      ],
      open: '200',
    })
  })

  it('does not ask again for what was refunded', () => {
    const money = paid(1, '200', [share({ invoice: 1 }, '200', 3)], [taken('refund', '60', 4)])
    expect(write([invoice(1, '200', 1)], [money]).entries.slice(2)).toEqual([
      '4 refund 1 60 → 60',
      '4 adjustment 1 -60 → 0',
    ])
  })

  it('lets the refund of credit, and of what was paid twice, end the credit', () => {
    const credit = paid(1, '50', [share({ contact: PUPIL }, '50', 3)], [taken('refund', '20', 4)])
    expect(write([], [credit]).entries).toEqual(['3 payment credit -50 → -50', '4 refund credit 20 → -30'])
    const twice = [
      paid(1, '200', [share({ invoice: 1 }, '200', 3)]),
      paid(2, '200', [share({ invoice: 1 }, '200', 4)], [taken('refund', '200', 5)]),
    ]
    expect(write([invoice(1, '200', 1)], twice).entries.slice(2)).toEqual([
      '4 payment 1 -200 → -200',
      '5 refund 1 200 → 0',
    ])
  })

  it('asks again for refunded money that the network took back, too', () => {
    const losses = [taken('refund', '200', 4), taken('reversal', '200', 5)]
    const money = paid(1, '200', [share({ invoice: 1 }, '200', 3)], losses)
    expect(write([invoice(1, '200', 1)], [money])).toEqual({
      entries: [
        '1 invoice 1 200 → 200',
        '3 payment 1 -200 → 0',
        '4 refund 1 200 → 200',
        '4 adjustment 1 -200 → 0',
        '5 adjustment 1 200 → 200',
      ],
      open: '200',
    })
  })

  it('is settled by the end of an invoice that is voided, before money or after its refund', () => {
    expect(write([invoice(1, '200', 1, 3)], [])).toEqual({
      entries: ['1 invoice 1 200 → 200', '3 void 1 -200 → 0'],
      open: '0',
    })
    const refunded = paid(1, '50', [share({ invoice: 1 }, '50', 2)], [taken('refund', '50', 3)])
    expect(write([invoice(1, '200', 1, 4)], [refunded]).entries.at(-1)).toBe('4 void 1 -150 → 0')
  })

  it('is told when a person moves money to another customer, and does not have what is for others', () => {
    const shares = [
      share({ invoice: 1 }, '100', 2, 4),
      share({ invoice: 9 }, '100', 4),
      share({ contact: SISTER }, '50', 2),
    ]
    const money = paid(1, '200', shares, [taken('reversal', '90', 5)])
    expect(write([invoice(1, '200', 1)], [money])).toEqual({
      entries: ['1 invoice 1 200 → 200', '2 payment 1 -100 → 100', '4 moved 1 100 → 200'],
      open: '200',
    })
  })

  it('has nothing that happened later than it reaches, also of the same money', () => {
    const money = paid(1, '200', [share({ invoice: 1 }, '200', 3)], [taken('reversal', '200', 8)])
    expect(write([invoice(1, '200', 1), invoice(2, '70', 9)], [money], day(8))).toEqual({
      entries: ['1 invoice 1 200 → 200', '3 payment 1 -200 → 0'],
      open: '0',
    })
  })
})
