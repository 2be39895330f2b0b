import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { encryptedColumns } from '../../../src/cli/service/secret-key.ts'
import { countSealed, type EncryptedColumn, resealBatch } from '../../../src/core/access/sealed-values.ts'
import { acceptLostKeys, registerSecretKey } from '../../../src/core/access/secret-key.ts'
import { begin } from '../../../src/db/client.ts'
import { decrypt, encrypt, keyId } from '../../../src/lib/secrets.ts'
import { openDatabase } from '../../test-app.ts'

const [OLD, NEW, LOST] = ['0a'.repeat(32), '0b'.repeat(32), '0c'.repeat(32)]
const now = new Date('2030-01-15T12:00:00Z')
const signing: EncryptedColumn = encryptedColumns.find(({ table }) => table === 'signing_users')!
const both = () => [NEW, OLD] as const
const columns = [signing]

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.unsafe(
    'set session_replication_role = replica; delete from signing_users; delete from lost_secret_keys; delete from secret_keys; reset session_replication_role',
  )
})

/** Store values without their API keys, which do not matter here. */
async function store(...values: string[]): Promise<void> {
  const list = values.map((value, index) => `('user ${index}', 1, '${value}', now())`)
  await database.db.unsafe(
    `set session_replication_role = replica; insert into signing_users (username, api_key, encrypted_secret, created) values ${list.join(', ')}; reset session_replication_role`,
  )
}

const readAll = async () =>
  (await database.db<{ value: string }[]>`select encrypted_secret as value from signing_users order by id`).map(
    ({ value }) => value,
  )
const count = () => countSealed(database.db, both, columns)

describe('counting', () => {
  it('tells the keys apart by their ids', async () => {
    await store(encrypt(NEW, 'a'), encrypt(OLD, 'b'), encrypt(OLD, 'c'), encrypt(LOST, 'd'))
    const what = signing.what
    expect(await count()).toEqual(
      expect.arrayContaining([
        { what, key: 'present', key_id: keyId(NEW), count: 1 },
        { what, key: 'previous', key_id: keyId(OLD), count: 2 },
        { what, key: 'unknown', key_id: keyId(LOST), count: 1 },
      ]),
    )
    await begin(database.db, (tx) => acceptLostKeys(tx, now, both, columns))
    const lost = (await count()).filter(({ key }) => key === 'lost')
    expect(lost.map(({ key_id }) => key_id)).toEqual([keyId(LOST)])
  })
})

describe('encrypting anew', () => {
  it('changes only what another known key has encrypted, a batch at a time', async () => {
    const [fresh, foreign] = [encrypt(NEW, 'b'), encrypt(LOST, 'd')]
    await store(encrypt(OLD, 'a'), fresh, encrypt(OLD, 'c'), foreign, encrypt(OLD, 'e'))
    const batches: number[] = []
    for (let after: number | null = 0; after !== null; ) {
      const slice: { after: number; limit: number } = { after, limit: 2 }
      const batch = await begin(database.db, (tx) => resealBatch(tx, both, signing, slice))
      batches.push(batch.resealed)
      after = batch.last
    }
    expect(batches).toEqual([2, 1, 0])
    const values = await readAll()
    expect([values[1], values[3]]).toEqual([fresh, foreign])
    expect([0, 2, 4].map((index) => decrypt(NEW, values[index]!))).toEqual(['a', 'c', 'e'])
  })

  it('leaves a value that changes meanwhile as it is then', async () => {
    await store(encrypt(OLD, 'before'))
    const replaced = encrypt(OLD, 'after')
    const [row] = await database.db<{ id: number }[]>`select id from signing_users`
    await begin(database.db, async (tx) => {
      // Another transaction commits these values between the read and the update.
      const values = { update: true }
      const meanwhile: typeof tx = Object.assign(
        (async (texts: TemplateStringsArray, ...given: never[]) => {
          if (values.update && texts.join('').includes('update')) {
            values.update = false
            await database.db`update signing_users set encrypted_secret = ${replaced} where id = ${row!.id}`
          }
          return tx(texts, ...given)
        }) as typeof tx,
        tx,
      )
      expect(await resealBatch(meanwhile, both, signing, { after: 0, limit: 9 })).toMatchObject({ resealed: 0 })
    })
    expect(await readAll()).toEqual([replaced])
  })
})

describe('the keys of a database', () => {
  const register = (...keys: [string, ...string[]]) =>
    begin(database.db, (tx) => registerSecretKey(tx, now, () => keys, columns))
  const known = () => database.db`select id from secret_keys`

  it('are the first one, and those that come with a known one as the previous key', async () => {
    expect(await register(OLD)).toBeNull()
    expect(await register(NEW)).toEqual({ reason: 'unknown', id: keyId(NEW), known: [keyId(OLD)] })
    expect(await register(NEW, LOST)).toMatchObject({ reason: 'unknown' })
    expect(await register(NEW, OLD)).toBeNull()
    expect(await register(NEW)).toBeNull()
    expect(await register(OLD)).toBeNull()
    expect(await known()).toHaveLength(2)
  })

  it('include a key from the future as the previous one, so that machines can change one after the other', async () => {
    expect(await register(OLD)).toBeNull()
    expect(await register(OLD, NEW)).toBeNull()
    await store(encrypt(NEW, 'of the other machine'))
    expect(await register(OLD, NEW)).toBeNull()
    expect(await register(OLD)).toEqual({ reason: 'unfinished', unreadable: [{ what: signing.what, count: 1 }] })
  })

  it('do not include one that lacks values until these are accepted as lost', async () => {
    await register(OLD)
    await register(NEW, OLD)
    await store(encrypt(OLD, 'a'), encrypt(NEW, 'b'))
    expect(await register(NEW)).toMatchObject({ reason: 'unfinished' })
    await begin(database.db, (tx) => acceptLostKeys(tx, now, () => NEW, columns))
    expect(await register(NEW)).toBeNull()
    expect(await register(NEW, OLD)).toBeNull()
  })

  it('are those that read all values where none is written down', async () => {
    await store(encrypt(OLD, 'a'))
    expect(await register(NEW)).toMatchObject({ reason: 'unknown', known: [] })
    expect(await register(NEW, LOST)).toMatchObject({ reason: 'unknown', known: [] })
    expect(await register(NEW, OLD)).toBeNull()
  })
})

describe('the list of encrypted columns', () => {
  it('has every column whose name says that it holds a secret', async () => {
    const rows = await database.db<{ name: string }[]>`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      join pg_class t on t.oid = format('%I', c.table_name)::regclass
      where c.table_schema = current_schema() and c.data_type = 'text' and not t.relispartition
        and c.column_name ~ 'secret|sealed|encrypted|credentials'`
    const listed = encryptedColumns.map(({ table, column }) => `${table}.${column}`)
    expect(rows.map(({ name }) => name).filter((name) => !listed.includes(name) && !PLAIN.includes(name))).toEqual([])
  })

  it('names columns that exist', async () => {
    for (const { table, key, column } of encryptedColumns)
      await database.db.unsafe(`select ${key}, ${column} from ${table} limit 0`)
  })

  it('is for keys that outlive a change of SECRET_KEY: nothing that is stored has another one', () => {
    const users = globSync('src/**/*.ts').filter((file) => /\bderiveSecret\b/.test(readFileSync(file, 'utf8')))
    // Their results may change with the key: signatures of the simulated network, revisions of tokens, handles of
    // users, and tokens of open forms and of reviews. So may digests that count the prompts of the last hour.
    expect(users.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
      'src/app.ts',
      'src/connections/open.ts',
      'src/console/access/passkeys.ts',
      'src/console/payments/reviews.ts',
      'src/pay/index.ts',
      'src/pay/start-payment.ts',
    ])
  })
})

/** Columns with such a name that no rotation needs to reach. */
const PLAIN: readonly string[] = [
  // It is a part of an address, by which a callback finds its connection.
  'connections.callback_secret',
  // Tokens last for minutes to hours, and are fetched again after a change of the key.
  'network_tokens.sealed',
]
