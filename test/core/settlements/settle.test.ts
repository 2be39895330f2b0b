import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settle } from '../../../src/core/settlements/settle.ts'
import type { Tx } from '../../../src/db/client.ts'
import { NOW, orderRow } from './rows.ts'

/* An order ends in one place: whoever learns something about it calls `settle`. */

const sources = globSync('src/{api,cli,connections,console,core,jobs,pay}/**/*.ts').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))

/** The files that import a function. */
function usersOf(name: string): string[] {
  const imported = new RegExp(
    `^import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*/[\\w-]*(settle|orders)[\\w-]*\\.ts'`,
    'm',
  )
  return sources
    .filter(({ text }) => imported.test(text))
    .map(({ path }) => path.replace('src/', ''))
    .sort()
}

describe('an order is settled in one place', () => {
  it('to which every source comes', () => {
    expect(usersOf('settle')).toEqual([
      'api/bills/callbacks.ts',
      'core/manual-settlements/effects.ts',
      'jobs/apply-findings.ts',
      'jobs/orders/engine.ts',
      'jobs/process-callbacks.ts',
    ])
  })

  it('and each kind is settled from there only, but for a purchase that is rejected before it is sent', () => {
    const settlers = ['settleCharge', 'settlePayout', 'settlePurchase'].map(usersOf)
    const place = 'core/settlements/settle.ts'
    expect(settlers).toEqual([[place], [place], ['core/bills/approvals.ts', place]])
    // Money that was reported by itself, and names an order, ends it by the same decisions.
    expect(['writeOrders', 'orderUpdates'].map(usersOf)).toEqual([
      ['core/collections/charges/paid-orders.ts'],
      ['core/bills/vends/settle.ts', 'core/collections/charges/settle.ts', 'core/payments/settle-payouts.ts'],
    ])
  })

  it('one kind after the other, because each locks rows of its own', async () => {
    const network = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox' }
    const answer = { outcome: 'unknown', message: 'HTTP 503' } as const
    const learnt = (['charge', 'payout'] as const).map((kind) => ({
      order: orderRow({ kind }),
      network,
      source: 'reply' as const,
      answer,
    }))
    await expect(settle({} as Tx, NOW, learnt)).rejects.toThrow('one kind after the other')
    expect(await settle({} as Tx, NOW, [])).toEqual({ updates: [], late_payouts: [], late_sales: [] })
  })
})
