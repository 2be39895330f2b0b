import { describe, expect, it } from 'vitest'
import type { Tx } from '../../src/db/client.ts'
import {
  type AnyEffect,
  type Effect,
  groupFor,
  type Query,
  together,
  type Work,
  workApart,
  workTogether,
} from '../../src/db/unit-of-work.ts'
import { WriteConflict } from '../../src/lib/batches/write-conflict.ts'

const NOW = new Date('2026-05-01T12:00:00Z')
const TX = {} as Tx

/** Statements in the order in which they are sent, with their keys or changes. */
let sent: string[] = []

function query<Row>(name: string, rowOf: (key: number) => Row | undefined): Query<number, Row> {
  return {
    async read(_, keys) {
      sent.push(`${name} ${keys.join()}`)
      const rows = keys.map((key) => [key, rowOf(key)] as const)
      return new Map(rows.filter((entry): entry is [number, Row & {}] => entry[1] !== undefined))
    },
  }
}

function effect(name: string): Effect<number> {
  return { write: (_tx, _now, changes) => void sent.push(`${name} ${changes.join()}`) }
}

const wallets = query('wallets', (id) => ({ id, owner: id * 10 }))
const owners = query('owners', (id) => ({ id }))
const few = query('few', (id) => (id < 3 ? { id } : undefined))
const [debits, credits] = [effect('debits'), effect('credits')]

function run<Result>(
  items: readonly number[],
  work: (work: Work, item: number) => Promise<Result>,
  effects: readonly AnyEffect[] = [debits, credits],
) {
  sent = []
  return workTogether({ tx: TX, now: NOW, effects }, items, work)
}

describe('work on many items of a transaction', () => {
  it('reads with one statement for each query what the items ask for in one turn', async () => {
    const results = await run([1, 2, 3], async (work, id) => {
      const { wallet, owner } = await together({ wallet: work.lock(wallets, id), owner: work.load(owners, 7) })
      return [wallet.id, owner.id, (await work.load(owners, wallet.owner)).id]
    })
    expect(sent).toEqual(['wallets 1,2,3', 'owners 7', 'owners 10,20,30'])
    expect(results).toEqual([
      [1, 7, 10],
      [2, 7, 20],
      [3, 7, 30],
    ])
  })

  it('writes with one statement for each effect, in the order of the effects and of the items', async () => {
    await run([1, 2, 3], async (work, id) => {
      // The later items are done first.
      for (let turn = id; turn < 3; turn++) await work.load(owners, id * 100 + turn)
      work.add(credits, id)
      if (id !== 2) work.add(debits, -id)
    })
    expect(sent.slice(-2)).toEqual(['debits -1,-3', 'credits 1,2,3'])
  })

  it('does nothing without items, and writes nothing without changes', async () => {
    expect(await run([], async () => 1)).toEqual([])
    await run([1], async () => undefined)
    expect(sent).toEqual([])
  })

  it('has written nothing when an item fails, whatever the others have added', async () => {
    const work = run([1, 2, 3], async (work, id) => {
      work.add(debits, id)
      await work.load(wallets, id)
      if (id === 2) throw new Error('refused')
      await work.load(owners, id)
      work.add(credits, id)
    })
    await expect(work).rejects.toThrow('refused')
    expect(sent.filter((statement) => !/^(wallets|owners)/.test(statement))).toEqual([])
  })

  it('lets one item alone have a locked row, and many a loaded one', async () => {
    await expect(run([5, 5], (work, id) => work.lock(wallets, id))).rejects.toThrow(WriteConflict)
    await expect(run([1, 2], (work, id) => (id === 1 ? work.lock(wallets, 5) : work.load(wallets, 5)))).rejects.toThrow(
      WriteConflict,
    )
    expect(sent).toEqual([])
    expect(await run([5, 5], async (work, id) => (await work.load(wallets, id)).id)).toEqual([5, 5])
    expect(sent).toEqual(['wallets 5'])
    const twice = run([5], async (work, id) => {
      await work.lock(wallets, id)
      return work.lock(wallets, id)
    })
    expect(await twice).toEqual([{ id: 5, owner: 50 }])
  })

  it('fails where a row is missing, and where an effect has no place in the order', async () => {
    await expect(run([1, 9], (work, id) => work.load(few, id))).rejects.toThrow('A row is missing: 9.')
    expect(await run([1, 9], (work, id) => work.find(few, id))).toEqual([{ id: 1 }, undefined])
    await expect(run([1], async (work, id) => work.add(debits, id), [credits])).rejects.toThrow('not in its list')
  })

  it('keeps the changes of items that are not refused, and what a refused one takes back', async () => {
    sent = []
    const unit = { tx: TX, now: NOW, effects: [debits, credits] }
    const results = await workApart(
      unit,
      (error) => error === 'refused',
      [1, 2, 3],
      async (work, id) => {
        work.addIfRefused(credits, -id)
        work.add(debits, id)
        await work.load(wallets, id)
        if (id === 2) throw 'refused'
        return id
      },
    )
    expect(results).toEqual([
      { ok: true, value: 1 },
      { ok: false, error: 'refused' },
      { ok: true, value: 3 },
    ])
    expect(sent).toEqual(['wallets 1,2,3', 'debits 1,3', 'credits -2'])
  })

  it('fails as a whole with another error than a refusal, and with the refusal of a statement', async () => {
    const broken: Query<number, number> = { read: () => Promise.reject('refused') }
    const unit = { tx: TX, now: NOW, effects: [debits] }
    const isRefusal = (error: unknown) => error === 'refused'
    const refused = workApart(unit, isRefusal, [1], (work, id) => work.load(broken, id))
    expect(await refused.catch((error: unknown) => error)).toBe('refused')
    const failed = workApart(unit, isRefusal, [1], () => Promise.reject(new Error('a bug')))
    await expect(failed).rejects.toThrow('a bug')
  })

  it('groups rows by the keys that were asked for', () => {
    const rows = [
      { id: 1, of: 7 },
      { id: 2, of: 7 },
      { id: 3, of: 8 },
    ]
    expect(groupFor([7, 9], rows, (row) => row.of)).toEqual(
      new Map([
        [7, rows.slice(0, 2)],
        [9, []],
      ]),
    )
  })

  it('fails with the error of a statement, for all items that wait for it', async () => {
    const broken: Query<number, number> = { read: () => Promise.reject(new Error('away')) }
    await expect(run([1, 2], (work, id) => work.load(broken, id))).rejects.toThrow('away')
  })
})
