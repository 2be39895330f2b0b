import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addUp } from '../../../src/core/invoices/new-invoice.ts'
import { nextReminder } from '../../../src/core/invoices/reminder-days.ts'
import { computeTotals, type NewLine } from '../../../src/core/invoices/totals.ts'
import { parseAmount } from '../../../src/lib/money.ts'

const amount = (text: string) => parseAmount(text)!
const line = (unit_price: string, quantity = '1', tax_rate: string | null = null): NewLine => ({
  text: 'x',
  unit_price: amount(unit_price),
  quantity: amount(quantity),
  tax_rate: tax_rate === null ? null : amount(tax_rate),
})

const anyLine = fc.record({
  text: fc.constant('x'),
  quantity: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  unit_price: fc.bigInt({ min: -(10n ** 11n), max: 10n ** 11n }),
  tax_rate: fc.option(fc.bigInt({ min: 0n, max: 1_000_000n })),
})
const UNITS = { UGX: 10_000n, KES: 100n }

describe('the sums of an invoice', () => {
  it('are exact, in the decimals of the currency, and each part is rounded by half a unit at most', () => {
    fc.assert(
      fc.property(fc.constantFrom('UGX' as const, 'KES' as const), fc.array(anyLine), (currency, new_lines) => {
        const unit = UNITS[currency]
        const { lines, taxes, subtotal, total } = computeTotals(currency, new_lines)
        const sum = (parts: { amount: bigint }[]) => parts.reduce((all, part) => all + part.amount, 0n)
        expect(subtotal).toBe(sum(lines))
        expect(total).toBe(sum(lines) + sum(taxes))
        for (const { amount } of [...lines, ...taxes]) expect(amount % unit).toBe(0n)
        for (const { amount, quantity, unit_price } of lines)
          expect(2n * abs(amount * 10_000n - quantity * unit_price) <= unit * 10_000n).toBe(true)
        for (const { rate, net, amount } of taxes)
          expect(2n * abs(amount * 1_000_000n - net * rate) <= unit * 1_000_000n).toBe(true)
        const taxed = lines.filter(({ tax_rate }) => tax_rate !== null)
        expect(taxes.reduce((all, { net }) => all + net, 0n)).toBe(sum(taxed))
        // The order of the lines changes nothing.
        expect(computeTotals(currency, new_lines.toReversed()).total).toBe(total)
        const turned = computeTotals(
          currency,
          new_lines.map((one) => ({ ...one, unit_price: -one.unit_price })),
        )
        expect(turned.total).toBe(-total)
      }),
    )
  })

  it('tax the sum of a rate, and round half away from zero', () => {
    const { lines, taxes, total } = computeTotals('UGX', [line('0.5', '3', '18'), line('333', '1', '18'), line('7')])
    expect(lines.map((one) => one.amount)).toEqual([amount('2'), amount('333'), amount('7')])
    expect(taxes).toEqual([{ rate: amount('18'), net: amount('335'), amount: amount('60') }])
    expect(total).toBe(amount('402'))
    expect(computeTotals('UGX', [line('-2.5')]).total).toBe(amount('-3'))
  })

  it('refuse a total that cannot be paid', () => {
    expect(() => addUp({ currency: 'UGX', lines: [line('5'), line('-5')] })).toThrow('greater than 0')
    expect(() => addUp({ currency: 'UGX', lines: [line('999999999999999', '999999')] })).toThrow('15 digits')
  })
})

describe('the next reminder', () => {
  const invoice = { due_date: '2030-02-14', reminder_days: [-3, 0, 7], time_zone: 'Africa/Kampala' }
  const at = (text: string) => new Date(text)

  it('is at nine in the morning in the time zone, whatever the clocks do', () => {
    expect(nextReminder(invoice, at('2030-01-01T00:00:00Z'))).toEqual(at('2030-02-11T06:00:00Z'))
    expect(nextReminder(invoice, at('2030-02-11T06:00:00Z'))).toEqual(at('2030-02-14T06:00:00Z'))
    expect(nextReminder({ ...invoice, time_zone: 'Africa/Lagos' }, at('2030-02-20T00:00:00Z'))).toEqual(
      at('2030-02-21T08:00:00Z'),
    )
    expect(nextReminder(invoice, at('2030-02-21T06:00:00Z'))).toBeNull()
    const cairo = { due_date: '2030-04-25', reminder_days: [0, 1], time_zone: 'Africa/Cairo' }
    expect(nextReminder(cairo, at('2030-04-01T00:00:00Z'))).toEqual(at('2030-04-25T07:00:00Z'))
    expect(nextReminder(cairo, at('2030-04-25T07:00:00Z'))).toEqual(at('2030-04-26T06:00:00Z'))
    expect(nextReminder({ ...invoice, reminder_days: [] }, at('2030-01-01T00:00:00Z'))).toBeNull()
  })
})

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
