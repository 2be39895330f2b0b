import { chooseRefundConnection } from '../../../../src/connections/choose.ts'
import { setMatchingSettings } from '../../../../src/core/matching/settings.ts'
import { type RefundedMoney, refundCollection } from '../../../../src/core/payments/refunds.ts'
import { begin } from '../../../../src/db/client.ts'
import { openInvoiceShop } from '../../invoices/invoice-shop.ts'
import { amount } from '../../shop.ts'

const DAY_S = 24 * 60 * 60

/** A school whose families pay to the till with typed numbers, in parts and too much. What is too much becomes credit. */
export async function openSchool() {
  const invoices = await openInvoiceShop()
  const { shop } = invoices
  const { db, organization, now } = shop
  await begin(db, (tx) => setMatchingSettings(tx, now(), organization, { overpayment: 'credit' }))

  return {
    ...invoices,
    db,
    organization,
    /** Issue an invoice over one line. */
    bill: (phonenumber: string, total: string, changes: object = {}) =>
      invoices.issue({ phonenumber, lines: [{ text: 'School fees', unit_price: total }], ...changes }),
    /** Money comes to the till, and the service looks what it is for. @returns the report of the network */
    async payIn(phonenumber: string, value: string, reference: string | null, currency = 'BXC') {
      const report = shop.paymentReport({ phonenumber, amount: amount(value), reference, currency })
      await shop.ingest(report)
      await invoices.countMoney()
      return report
    },
    /** The network takes a part of a payment back. */
    async takeBack(report: ReturnType<typeof shop.paymentReport>, value: string) {
      await shop.ingest({ ...report, reversals: [{ remote_id: `${report.remote_id}B`, amount: amount(value) }] })
      await invoices.countMoney()
    },
    /** The school gives a part of a payment back. @returns the id of the payment that does it */
    async refund(report: ReturnType<typeof shop.paymentReport>, value: string): Promise<number> {
      const { author } = await shop.wallet(report.currency)
      const [row] = await db<{ id: number }[]>`
        select id from collections where remote_transaction_id = ${report.remote_id}`
      const chooseNetwork = (money: RefundedMoney) => chooseRefundConnection(shop.testApp.app.connections.list(), money)
      const input = { organization, author, chooseNetwork, collection: row!.id, amount: amount(value) }
      const { id } = await begin(db, (tx) => refundCollection(tx, now(), input))
      return id
    },
    passDays: (days: number) => shop.testApp.clock.advance(days * DAY_S),
  }
}

export type School = Awaited<ReturnType<typeof openSchool>>
