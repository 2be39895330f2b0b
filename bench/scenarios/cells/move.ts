import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../../../src/app.ts'
import { moveOrganization } from '../../../src/cli/commands/organizations/move/steps.ts'
import { createLog } from '../../../src/cli/service/log.ts'
import { readConfig } from '../../../src/config.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../../src/core/events/webhooks.ts'
import { begin } from '../../../src/db/client.ts'
import { insertCollections } from '../../insert-collections.ts'
import { printProgress, type Result, type Table, type UnservedContext } from '../../measurements.ts'
import { type BenchService, settingsOf } from '../../postgres.ts'
import { CURRENCY, FIRST_CUSTOMER, type Shop } from '../../shops.ts'
import { checkBooks } from '../settle.ts'

const CELL = 1

/** Move an organization with many collections, each with what it leaves, to a second cell, and measure each step. */
export async function measureMove({ postgres, options }: UnservedContext): Promise<Result> {
  const { collections } = options
  const cells = {
    CELLS: '{"0":"http://127.0.0.1:1","1":"http://127.0.0.1:1"}',
    CELLS_SECRET: 'only for the bench '.repeat(2),
  }
  const zero = await postgres.startService(['--no-jobs'], 2, { ...cells, CELL: '0' })
  const one = await postgres.startService(['--no-jobs'], 1, { ...cells, CELL: String(CELL) })
  const open = async ({ database_url }: BenchService, cell: number) => {
    const config = readConfig({ ...settingsOf(database_url), ...cells, CELL: String(cell) })
    return buildApp(config, await createLog(config, 'command'))
  }
  const [source, target] = [await open(zero, 0), await open(one, CELL)]
  try {
    const shop = zero.shops[1]!
    printProgress(`${collections} collections of an organization`)
    const webhook = await begin(zero.db, async (tx) => {
      const input = {
        organization: shop.organization,
        user: shop.author,
        event: 'collection.received',
        target: 'https://a.example',
      }
      return (await createWebhook(tx, new Date(), input, source.sealingKeys(WEBHOOK_KEY_PURPOSE))).id
    })
    await insertCollections(zero.db, shop, { webhook, count: collections })
    await zero.db.unsafe('analyze')
    const creating = keepCreating([zero.url, one.url], shop)
    const moving = moveOrganization(source, target, shop.organization, (says) => printProgress(says))
    const [move] = await Promise.all([moving.finally(creating.end), creating.made])
    const { accepted, pause_s } = await creating.end()
    const { tables = {}, seconds = {} } = move.figures
    const [size] = await one.db<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    return {
      figures: [],
      tables: [tableOf(seconds, rows, collections)],
      notes: [
        `Nothing was accepted for ${pause_s.toFixed(1)} s; ${accepted} requests were created during the move.`,
        `The database of the new cell has ${Math.round(size!.bytes / 1e6)} MB afterwards.`,
      ],
      checks: [
        { claim: 'every collection is in the new cell', holds: tables.collections?.rows === collections },
        { claim: 'requests were created before and after the move', holds: accepted > CALLERS },
        await checkBooks(zero.db),
        await checkBooks(one.db),
      ],
    }
  } finally {
    await source.close()
    await target.close()
    await zero.close()
    await one.close()
  }
}

const CALLERS = 4
/** Pause of a caller that was refused. */
const REFUSED_MS = 20

/** Create requests in the cell that takes them, until `end` is called. Its answer says how long none was accepted at most. */
function keepCreating(cells: readonly [string, string], { key }: Shop) {
  let is_ending = false
  let [accepted, accepted_ms, pause_ms] = [0, performance.now(), 0]
  const callOne = async (url: string): Promise<number> => {
    const answer = await fetch(`${url}/api/collectionrequests`, {
      method: 'POST',
      headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phonenumber: `+800${FIRST_CUSTOMER}`, amount: '1500', currency: CURRENCY }),
    })
    await answer.text()
    return answer.status
  }
  const call = async () => {
    let [here, there] = cells
    while (!is_ending) {
      const status = await callOne(here)
      if (status === 421) [here, there] = [there, here]
      if (status === 201) {
        accepted += 1
        pause_ms = Math.max(pause_ms, performance.now() - accepted_ms)
        accepted_ms = performance.now()
      } else await sleep(REFUSED_MS)
    }
  }
  const callers = Promise.all(Array.from({ length: CALLERS }, call))
  return {
    made: callers,
    async end() {
      is_ending = true
      await callers
      return { accepted, pause_s: Math.max(pause_ms, performance.now() - accepted_ms) / 1_000 }
    },
  }
}

function tableOf(seconds: Record<string, number>, rows: number, collections: number): Table {
  const title = `moving an organization with ${collections} collections, ${rows} rows`
  const steps = Object.entries(seconds).map(([name, taken]) => ({
    name,
    values: [taken, Math.round(rows / Math.max(taken, 0.001))],
  }))
  return { title, columns: ['seconds', 'rows a second'], rows: steps }
}
