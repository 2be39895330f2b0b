import { addPlace } from '../../../../../src/core/connections/places.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../../../../src/core/events/webhooks.ts'
import { begin } from '../../../../../src/db/client.ts'
import { openCell } from '../../../../interface/test-cell.ts'
import { openTestService, type TestService } from '../../../../interface/test-service.ts'

export const CELL = 3
/** Our number of the second shop at the sandbox's network. */
export const NUMBER = 'SECOND'

const settings = {
  CELLS: '{"0":"http://127.0.0.1:1","3":"http://127.0.0.1:1"}',
  CELLS_SECRET: 'the secret of all cells, with 32 characters',
}

/** Two cells that reach each other, and the second shop of cell 0, which can move to cell 3. */
export interface TwoCells {
  zero: TestService
  three: TestService
  /** Follow the events of the second shop. */
  addWebhook(event: string, target: string): Promise<number>
  close(): Promise<void>
}

/**
 * Open both. @param secret_keys the same ones let the simulated networks of both sign alike, as one network does
 * @param more further settings of both, and whether their jobs run
 */
export async function openTwoCells(
  secret_keys: { zero: string; three: string },
  more: { settings?: Record<string, string>; jobs?: boolean } = {},
): Promise<TwoCells> {
  const zero = await openTestService({
    settings: { ...settings, ...more.settings, SECRET_KEY: secret_keys.zero },
    jobs: more.jobs ?? true,
  })
  const three = await openCell(CELL, { ...settings, ...more.settings, SECRET_KEY: secret_keys.three }, more.jobs)
  for (const { testApp } of [zero, three]) Object.assign(testApp.app.config.CELLS, { 0: zero.url, [CELL]: three.url })
  // Both have a second shop of the same owner.
  await three.testApp.db`update users set email = 'other@second.example' where email = 'owner@second.example'`
  const { organization, user, account } = zero.otherShop
  const { app } = zero.testApp
  await begin(app.db, (tx) => addPlace(tx, { connection: 'sandbox', account, number: NUMBER }))
  return {
    zero,
    three,
    async addWebhook(event, target) {
      const input = { organization, user, event, target }
      const keys = app.sealingKeys(WEBHOOK_KEY_PURPOSE)
      return (await begin(app.db, (tx) => createWebhook(tx, app.clock.now(), input, keys))).id
    },
    async close() {
      await zero.close()
      await three.close()
    },
  }
}
