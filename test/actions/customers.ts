import { beginBatch } from '../../src/core/batches/batches.ts'
import { findPaymentLink } from '../../src/core/checkout/payment-links.ts'
import type { Tx } from '../../src/db/client.ts'
import type { TestApp } from '../test-app.ts'
import { newRequest } from './money-out.ts'
import { aLink, anInvoice, aPayment, authorIn } from './objects.ts'
import type { Sample } from './samples.ts'

/* Samples of what customers do, who know the code of a page, and of the parts in which batches are made. */

let _number = 0

async function aVisit(tx: Tx, testApp: TestApp) {
  _number += 1
  const { id } = await aLink(tx, testApp)
  const link = (await findPaymentLink(tx, testApp.clock.now(), id))!
  const request = await newRequest(tx, testApp)
  const source = { phone: Buffer.from(`phone ${_number}`), address: Buffer.from(`address ${_number}`) }
  const form = { form: `form ${_number}`, token: `visit-${_number}`, previous: null }
  return { link, visit: { link: id, single_use: false, ...form, source, request } }
}

async function aBatch(tx: Tx, testApp: TestApp, kind: 'invoices' | 'requests') {
  const { organization, clock } = testApp
  const from = { source: 'tag', name: 'P5', digest: null, asked: 'a'.repeat(64), duplicates: 'skip' } as const
  const counts = { rows: 1, refused: 0, issue: kind === 'invoices' ? false : null }
  const author = await authorIn(tx, testApp)
  const { id } = await beginBatch(tx, clock.now(), { kind, organization, author, ...from, ...counts }, undefined)
  return { id, planned: [] }
}

const silent = { is_silent: true } as const

/** Samples of these actions, by name. */
export const customers: Readonly<Record<string, Sample>> = {
  'start visit': { ...silent, prepare: aVisit },
  'open link of invoice': { ...silent, prepare: (tx, testApp) => anInvoice(tx, testApp, 'issued') },
  'settle invoice': { ...silent, prepare: (tx, testApp) => anInvoice(tx, testApp, 'issued') },
  'show receipt': {
    ...silent,
    prepare: async (tx, testApp) => ({ collection: (await aPayment(tx, testApp)).id }),
  },
  'continue batch of invoices': { ...silent, prepare: (tx, testApp) => aBatch(tx, testApp, 'invoices') },
  'continue batch of requests': { ...silent, prepare: (tx, testApp) => aBatch(tx, testApp, 'requests') },
}
