import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { rows } from '../../src/db/rows.ts'
import { openDatabase } from '../test-app.ts'
import type { Due } from './wrong-columns.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openDatabase())
})
afterAll(() => close())

const DUE: Due[] = [
  {
    id: 7,
    due_at: new Date('2030-01-15T12:00:00.123Z'),
    name: 'a "quoted", {braced} \\ name',
    note: 'NULL',
    send: true,
    amount: 15_000_001n,
    share: 0.25,
    metadata: { 'a"b': ['\\', null, 'ü'] },
  },
  { id: 2 ** 40, due_at: null, name: '', send: false, amount: -1n, share: -1e21, metadata: {} },
]

describe('objects as rows', () => {
  it('keep every type of column exactly', async () => {
    const r = rows(DUE, {
      id: 'bigint',
      due_at: 'timestamptz',
      name: 'text',
      note: 'text',
      send: 'boolean',
      amount: 'numeric',
      share: 'double precision',
      metadata: 'jsonb',
    })
    const [first, second] = await db`select ${r.columns} from ${r.as('r')}`
    expect(first).toEqual(DUE[0])
    expect(second).toEqual({ ...DUE[1], note: null })
  })

  it('take computed columns, from each item and its index', async () => {
    const r = rows(DUE, {
      number: ['integer', (_, index) => index],
      lower: ['text', (due) => due.name.toLowerCase()],
      list: ['json', (due) => [due.id, due.name]],
      text: ['text', ({ note }) => note],
    })
    expect(await db`select ${r.columns} from ${r.as('r')} where number = 0`).toEqual([
      { number: 0, lower: DUE[0]!.name, list: [7, DUE[0]!.name], text: 'NULL' },
    ])
  })

  it('keep every text, whatever characters it has', async () => {
    const special = ['"', '\\', '\n', '\t', '\u0001', '\u007f', '{', '}', ',', 'NULL', 'ü', '😀', '\u2028', 'a']
    const anyText = fc.array(fc.constantFrom(...special), { maxLength: 12 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 20 }), async (texts) => {
        const r = rows(texts, { text: ['text', (text) => text] })
        const found = await db<{ text: string }[]>`select text from ${r.as('r', 'number')} order by number`
        expect(found.map(({ text }) => text)).toEqual(texts)
      }),
    )
  })

  it('can be an empty list', async () => {
    const r = rows([] as Due[], { id: 'bigint', send: 'boolean', metadata: 'json' })
    expect(await db`select ${r.columns} from ${r.as('r')}`).toEqual([])
  })

  it('can be counted, and a column can have any name', async () => {
    const r = rows([{ user: 'b' }, { user: 'a' }], { user: 'text' })
    expect(await db`select ${r.columns}, place from ${r.as('order', 'place')} order by place desc`).toEqual([
      { user: 'a', place: 2 },
      { user: 'b', place: 1 },
    ])
  })
})
