import { networksForPayouts } from '../../../../src/connections/payout-networks.ts'
import { readPaymentFile } from '../../../../src/core/payments/bulk/columns.ts'
import { createNextPayment } from '../../../../src/core/payments/bulk/creation.ts'
import { createDraft, lockBulkPayment, readFailedRows } from '../../../../src/core/payments/bulk/drafts.ts'
import { readBulkPayment } from '../../../../src/core/payments/bulk/read.ts'
import type { BulkPaymentDetail } from '../../../../src/core/payments/bulk/row.ts'
import { startBulkPayment } from '../../../../src/core/payments/bulk/start.ts'
import { begin } from '../../../../src/db/client.ts'
import type { Shop } from '../../shop.ts'

/** The groups of these tests are small. */
export const GROUP_ROWS = 3

/** Files of payments of a shop, worked without any door. */
export interface Files {
  upload(lines: readonly string[]): Promise<number>
  /** Stores the rows of a file that failed as a new one. */
  retry(id: number): Promise<number>
  read(id: number): Promise<BulkPaymentDetail>
  start(id: number): ReturnType<typeof startBulkPayment>
  /** Creates the next payment. @returns true if rows may be left */
  step(id: number): Promise<boolean>
  createAll(id: number): Promise<void>
}

/** Opens the files of a shop, which one person uploads and starts. */
export function openFiles(shop: Shop, person: number): Files {
  const { organization, db } = shop
  const chooseNetwork = () => networksForPayouts(shop.testApp.app.connections)
  const step = (id: number) =>
    begin(db, (tx) => createNextPayment(tx, shop.now(), { id, organization }, chooseNetwork(), GROUP_ROWS))
  return {
    async upload(lines) {
      const text = ['phone number,name,amount,currency', ...lines].join('\n')
      const file = await readPaymentFile({ name: 'wages.csv', bytes: Buffer.from(text) })
      const draft = { organization, author: person, description: 'Wages', account: null, send_sms_message: false, file }
      return begin(db, (tx) => createDraft(tx, shop.now(), draft, chooseNetwork()))
    },
    retry: (id) =>
      begin(db, async (tx) => {
        const source = await lockBulkPayment(tx, organization, id)
        const draft = { ...source, author: person, file: await readFailedRows(tx, source), retry_of: id }
        return createDraft(tx, shop.now(), draft, chooseNetwork())
      }),
    read: (id) => readBulkPayment(db, organization, id),
    start(id) {
      const who = { organization, bulk_payment: id, user: person }
      return begin(db, (tx) => startBulkPayment(tx, shop.now(), who, chooseNetwork()))
    },
    step,
    async createAll(id) {
      while (await step(id));
    },
  }
}

const phone = (index: number) => `+80000${String(index).padStart(6, '0')}`

/** Lines of a file: so many people get this sum each. */
export const people = (count: number, sum: string, first = 1_000) =>
  Array.from({ length: count }, (_, index) => `${phone(first + index)},Ann Other,${sum},BXC`)
