import { describe, expect, it } from 'vitest'
import { decide, type MoneyFacts, type OpenInvoice } from '../../../src/core/matching/decide.ts'

const MOTHER_PAYS_FOR = [1, 2, 3]

function invoice(id: number, open: bigint, changes: Partial<OpenInvoice> = {}): OpenInvoice {
  return { id, contact: id, open, due_date: '2030-02-28', is_void: false, is_asked: false, ...changes }
}

function money(free: bigint, changes: Partial<MoneyFacts> = {}): MoneyFacts {
  return { free, named: nothing(), invoices: [], customers: [], typed_number: false, rule: 'keep', ...changes }
}

function nothing(): MoneyFacts['named'] {
  return { invoices: [], contacts: [], links: [], count: 0 }
}

function names(...invoices: OpenInvoice[]): MoneyFacts['named'] {
  return { ...nothing(), invoices, count: invoices.length }
}

describe('money with the number of an invoice', () => {
  it('pays a part of it', () => {
    const two = invoice(2, 200n)
    expect(decide(money(85n, { named: names(two) })).parts).toEqual([
      { target: { invoice: 2 }, amount: 85n, reason: 'invoice_number' },
    ])
  })

  it('pays what is open, and the rest stays unmatched where nothing else is wanted', () => {
    const two = invoice(2, 115n)
    expect(decide(money(120n, { named: names(two) }))).toEqual({
      parts: [{ target: { invoice: 2 }, amount: 115n, reason: 'invoice_number' }],
      returns: false,
    })
  })

  it('sends the rest back where the organization wants it, also of an invoice that is paid', () => {
    expect(decide(money(120n, { named: names(invoice(2, 0n)), rule: 'return' }))).toEqual({ parts: [], returns: true })
  })

  it('pays the other invoices of the customer with the rest, and keeps credit', () => {
    const two = invoice(2, 100n, { contact: 9 })
    const later = invoice(1, 50n, { contact: 9, due_date: '2030-05-31' })
    const sooner = invoice(3, 50n, { contact: 9, due_date: '2030-03-31' })
    const facts = money(220n, { named: names(two), invoices: [later, two, sooner], rule: 'credit' })
    expect(decide(facts).parts).toEqual([
      { target: { invoice: 2 }, amount: 100n, reason: 'invoice_number' },
      { target: { invoice: 3 }, amount: 50n, reason: 'surplus' },
      { target: { invoice: 1 }, amount: 50n, reason: 'surplus' },
      { target: { contact: 9 }, amount: 20n, reason: 'surplus' },
    ])
  })

  it('stays unmatched when the invoice is void, or in another currency', () => {
    expect(decide(money(85n, { named: names(invoice(2, 0n, { is_void: true })) })).parts).toEqual([])
    expect(decide(money(85n, { named: { ...nothing(), count: 1 } })).parts).toEqual([])
  })
})

describe('money with several numbers', () => {
  const [two, three] = [invoice(2, 100n), invoice(3, 50n)]

  it('pays each when they add up to it', () => {
    expect(decide(money(150n, { named: names(two, three) })).parts).toHaveLength(2)
  })

  it.each([149n, 151n, 100n])('is not guessed between them: %s', (amount) => {
    expect(decide(money(amount, { named: names(two, three) })).parts).toEqual([])
  })

  it('is not guessed between an invoice and a customer who owes nothing', () => {
    const named = { ...nothing(), invoices: [two], contacts: [5], count: 2 }
    expect(decide(money(100n, { named })).parts).toEqual([])
  })

  it('pays what two customers owe when that adds up to it', () => {
    const named = { ...nothing(), contacts: [2, 3], count: 2 }
    const owed = [two, three, invoice(4, 20n, { contact: 3 })]
    expect(decide(money(170n, { named, invoices: owed })).parts).toMatchObject([
      { target: { invoice: 2 }, amount: 100n, reason: 'customer_number' },
      { target: { invoice: 3 }, amount: 50n },
      { target: { invoice: 4 }, amount: 20n },
    ])
    expect(decide(money(150n, { named, invoices: owed })).parts).toEqual([])
    expect(
      decide(money(170n, { named, invoices: [...owed.slice(0, 2), { ...owed[2]!, is_asked: true }] })).parts,
    ).toEqual([])
  })

  it('pays an invoice and what another customer owes when they add up to it', () => {
    const named = { ...nothing(), invoices: [two], contacts: [3], count: 2 }
    expect(decide(money(150n, { named, invoices: [two, three] })).parts).toHaveLength(2)
  })

  it('pays the invoice, also in parts, when its own customer is named besides', () => {
    const named = { ...nothing(), invoices: [two], contacts: [two.contact], count: 2 }
    expect(decide(money(60n, { named, invoices: [two] })).parts).toMatchObject([
      { target: { invoice: 2 }, amount: 60n, reason: 'invoice_number' },
    ])
  })

  it('is not guessed between a link and an invoice', () => {
    const named = { ...names(two), links: [{ id: 8, takes: true }], count: 2 }
    expect(decide(money(100n, { named })).parts).toEqual([])
  })
})

describe('money with the number of a customer', () => {
  const named = { ...nothing(), contacts: [9], count: 1 }

  it('pays the oldest invoice of the customer first, in parts too', () => {
    const invoices = [invoice(2, 100n, { contact: 9 }), invoice(1, 100n, { contact: 9, due_date: '2030-01-31' })]
    expect(decide(money(150n, { named, invoices })).parts).toEqual([
      { target: { invoice: 1 }, amount: 100n, reason: 'customer_number' },
      { target: { invoice: 2 }, amount: 50n, reason: 'customer_number' },
    ])
  })

  it('is credit where the organization keeps credit, and is never sent back when nothing was asked for', () => {
    expect(decide(money(80n, { named, rule: 'credit' })).parts).toEqual([
      { target: { contact: 9 }, amount: 80n, reason: 'customer_number' },
    ])
    expect(decide(money(80n, { named, rule: 'return' }))).toEqual({ parts: [], returns: false })
  })
})

describe('money without a number', () => {
  it('pays the only open invoice with its amount among the children of the payer', () => {
    const invoices = [invoice(1, 850n), invoice(2, 900n), invoice(3, 950n)]
    expect(decide(money(900n, { invoices, customers: MOTHER_PAYS_FOR })).parts).toEqual([
      { target: { invoice: 2 }, amount: 900n, reason: 'same_amount' },
    ])
  })

  it('is not guessed between two children with the same fee', () => {
    const invoices = [invoice(1, 850n), invoice(2, 850n)]
    expect(decide(money(850n, { invoices, customers: MOTHER_PAYS_FOR, rule: 'credit' })).parts).toEqual([])
  })

  it('does not pay for a customer of another phone', () => {
    expect(decide(money(850n, { invoices: [invoice(7, 850n)], customers: MOTHER_PAYS_FOR })).parts).toEqual([])
  })

  it('is on the account of the only customer, unless the payer typed a number that nothing has', () => {
    const facts = money(300n, { invoices: [invoice(1, 850n)], customers: [1], rule: 'credit' })
    expect(decide(facts).parts).toEqual([{ target: { invoice: 1 }, amount: 300n, reason: 'only_customer' }])
    expect(decide({ ...facts, typed_number: true }).parts).toEqual([])
  })

  it('does not pay an invoice whose request may still be paid', () => {
    const asked = invoice(1, 850n, { is_asked: true })
    const facts = money(850n, { invoices: [asked], customers: [1], rule: 'credit' })
    expect(decide(facts).parts).toEqual([])
    const named = { ...nothing(), contacts: [1], count: 1 }
    expect(decide({ ...facts, named }).parts).toEqual([
      { target: { contact: 1 }, amount: 850n, reason: 'customer_number' },
    ])
  })
})
