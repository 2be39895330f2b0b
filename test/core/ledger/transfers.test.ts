import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { createAccount, fundAccount, listAccounts } from '../../../src/core/ledger/accounts.ts'
import {
  checkLedger,
  findCounterAccounts,
  moveMoney,
  type NewTransfer,
  transferKinds,
} from '../../../src/core/ledger/transfers.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { begin, connect, type Database } from '../../../src/db/client.ts'
import type { Amount } from '../../../src/lib/money.ts'
import { cloneDatabase } from '../../test-app.ts'
import { amount } from '../shop.ts'

const NOW = new Date('2030-01-15T12:00:00.750Z')

let db: Database
let drop: () => Promise<void>
let organization: number
let author: number
let external: number

beforeAll(async () => {
  const database = await cloneDatabase()
  db = connect(database.url, { connections: 10, application: 'tests' })
  drop = database.drop
  const made = await begin(db, (tx) => createOrganization(tx, NOW, 'Books'))
  organization = made.id
  author = made.service_user
  await openWallet('0')
  external = (await findCounterAccounts(db, 'external', [organization])).get(`${organization}:BXC`)!
})
afterAll(async () => {
  const faults = await checkLedger(db)
  await db.end()
  await drop()
  expect(faults).toEqual([])
})

describe('moving money', () => {
  it('knows the same kinds of transfers as the database', async () => {
    const [check] = await db<{ definition: string; validated: boolean }[]>`
      select pg_get_constraintdef(oid) as definition, convalidated as validated from pg_constraint
      where conname = 'transfers_kind_check'`
    const kinds = [...check!.definition.matchAll(/'(\w+)'/g)].map(([, kind]) => kind)
    expect(kinds.sort()).toEqual([...transferKinds].sort())
    expect(check!.validated).toBe(true)
  })

  it('subtracts from one account what it adds to the other', async () => {
    const [from, to] = [await openWallet('100'), await openWallet('0')]
    await move({ from_account: from, to_account: to, amount: amount('40.0001') })
    expect(await balances(from, to)).toEqual([amount('59.9999'), amount('40.0001')])
    expect(await checkLedger(db)).toEqual([])
  })

  it('sums the changes of one transaction to one wallet', async () => {
    const [from, to] = [await openWallet('0'), await openWallet('0')]
    // The wallet may spend what the same batch brings in.
    await move(
      { from_account: from, to_account: to, amount: amount('30') },
      { from_account: external, to_account: from, amount: amount('50') },
      { from_account: to, to_account: from, amount: amount('10') },
    )
    expect(await balances(from, to)).toEqual([amount('30'), amount('20')])
  })

  it('refuses a negative balance, and then moves no money at all', async () => {
    const [poor, rich] = [await openWallet('10'), await openWallet('10')]
    const refused = move(
      { from_account: rich, to_account: external, amount: amount('1') },
      { from_account: poor, to_account: rich, amount: amount('10.0001') },
    )
    await expect(refused).rejects.toEqual(new Invalid({ account: ['The account holds 10.0000, which is not enough.'] }))
    expect(await balances(poor, rich)).toEqual([amount('10'), amount('10')])
  })

  it('lets only a reversal overdraw, and marks the account until the balance is positive again', async () => {
    const wallet = await openWallet('10')
    await begin(db, (tx) =>
      moveMoney(tx, NOW, [transfer({ from_account: wallet, to_account: external, amount: amount('25') })], {
        overdraw: true,
      }),
    )
    expect(await account(wallet)).toEqual({ balance: amount('-15'), overdrawn: true })
    // No debit is allowed, credits are.
    await expect(move({ from_account: wallet, to_account: external, amount: 1n })).rejects.toThrow(Invalid)
    await move({ from_account: external, to_account: wallet, amount: amount('5') })
    expect(await account(wallet)).toEqual({ balance: amount('-10'), overdrawn: true })
    await move({ from_account: external, to_account: wallet, amount: amount('10') })
    expect(await account(wallet)).toEqual({ balance: 0n, overdrawn: false })
  })

  it('moves money only once per reference', async () => {
    const wallet = await openWallet('0')
    const once = transfer({ from_account: external, to_account: wallet, amount: amount('5') })
    await begin(db, (tx) => moveMoney(tx, NOW, [once]))
    await expect(begin(db, (tx) => moveMoney(tx, NOW, [once]))).rejects.toMatchObject({ code: '23505' })
    expect(await balances(wallet)).toEqual([amount('5')])
  })

  it('keeps amounts exact that a float cannot hold', async () => {
    const wallet = await openWallet('0')
    const max_amount = amount('999999999999999.9999')
    await move(...[1, 2, 3].map(() => ({ from_account: external, to_account: wallet, amount: max_amount })))
    await move({ from_account: wallet, to_account: external, amount: 1n })
    expect(await balances(wallet)).toEqual([amount('2999999999999999.9996')])
  })

  it('stamps a transfer to the second', async () => {
    const wallet = await openWallet('0')
    await move({ from_account: external, to_account: wallet, amount: 1n })
    const [row] = await db`select created from transfers order by id desc limit 1`
    expect(row).toEqual({ created: new Date('2030-01-15T12:00:00Z') })
  })
})

describe('the database itself refuses', () => {
  it.each([
    ['to change a transfer', `update transfers set amount = amount + 1`, /append-only/],
    ['to delete a transfer', `delete from transfers`, /append-only/],
    ['to empty the transfers', `truncate transfers`, /append-only/],
    ['a balance below zero', `update accounts set balance = -1 where kind = 'local'`, /accounts_balance_check/],
    [
      'a transfer between currencies',
      `insert into transfers (reference, kind, from_account, to_account, currency, amount, description, created, author)
       select 'x', 'admin_funds_update', a.id, b.id, 'BXC', 1, '', now(), 1 from accounts a, accounts b
       where b.currency <> 'BXC' and a.id <> b.id limit 1`,
      /foreign key/,
    ],
    [
      'a transfer of nothing',
      `insert into transfers (reference, kind, from_account, to_account, currency, amount, description, created, author)
       select 'x', 'admin_funds_update', min(id), max(id), 'BXC', 0, '', now(), 1 from accounts`,
      /check constraint/,
    ],
    [
      'a transfer from an account to itself',
      `insert into transfers (reference, kind, from_account, to_account, currency, amount, description, created, author)
       select 'x', 'admin_funds_update', min(id), min(id), 'BXC', 1, '', now(), 1 from accounts`,
      /check constraint/,
    ],
  ])('%s', async (_what, statement, message) => {
    await openWallet('10')
    await begin(db, (tx) =>
      createAccount(tx, NOW, { organization, currency: 'UGX', kind: 'local', name: 'UGX', author }),
    )
    await expect(db.unsafe(statement)).rejects.toThrow(message)
  })
})

describe('many concurrent transfers', () => {
  it('never deadlock and lose no money', async () => {
    const wallets = await Promise.all([1, 2, 3, 4].map(() => openWallet('1000')))
    const connections = 8
    const rounds = 15
    // Every transaction touches all wallets, each connection in its own order.
    await Promise.all(
      Array.from({ length: connections }, async (_, lane) => {
        for (let round = 0; round < rounds; round += 1) {
          const turned = wallets.map((_, place) => wallets[(place + lane + round) % wallets.length]!)
          const circle = turned.map((from, place) => ({
            from_account: from,
            to_account: turned[(place + 1) % turned.length]!,
            amount: BigInt(place + 1),
          }))
          await move(...(lane % 2 === 0 ? circle : circle.reverse()))
        }
      }),
    )
    const sum = (await balances(...wallets)).reduce((total, balance) => total + balance, 0n)
    expect(sum).toBe(amount('4000'))
    expect(await checkLedger(db)).toEqual([])
  })

  it('cannot spend the same money twice', async () => {
    const wallet = await openWallet('100')
    const attempts = await Promise.allSettled(
      Array.from({ length: 16 }, () => move({ from_account: wallet, to_account: external, amount: amount('30') })),
    )
    expect(attempts.filter((one) => one.status === 'fulfilled')).toHaveLength(3)
    expect(await balances(wallet)).toEqual([amount('10')])
  })
})

describe('the audit', () => {
  it('finds a balance that does not match its transfers', async () => {
    const wallet = await openWallet('10')
    await expect(
      begin(db, async (tx) => {
        await tx`update accounts set balance = balance + 1 where id = ${wallet}`
        expect(await checkLedger(tx)).toEqual([
          `Account ${wallet} holds 11, its transfers 10.`,
          `All BXC accounts of organization ${organization} together hold 1 instead of zero.`,
        ])
        throw new Error('put it back')
      }),
    ).rejects.toThrow('put it back')
  })
})

describe('funding a wallet', () => {
  it('is refused for an amount of zero, for an unknown wallet, and below a balance of zero', async () => {
    const wallet = await openWallet('10')
    const fund = (changes: { account?: number; amount?: Amount }) =>
      begin(db, (tx) =>
        fundAccount(tx, NOW, { account: wallet, amount: amount('-10.5'), description: '', author, ...changes }),
      )
    await expect(fund({ amount: 0n })).rejects.toThrow('The amount must not be zero.')
    await expect(fund({ account: external })).rejects.toThrow(`There is no account ${external}.`)
    await expect(fund({})).rejects.toThrow('which is not enough')
    expect((await fund({ amount: amount('-10') })).balance).toBe(0n)
  })
})

async function openWallet(funds: string): Promise<number> {
  const wallet = await begin(db, (tx) =>
    createAccount(tx, NOW, { organization, currency: 'BXC', kind: 'local', name: 'Wallet', author }),
  )
  if (amount(funds) > 0n)
    await begin(db, (tx) =>
      fundAccount(tx, NOW, { account: wallet.id, amount: amount(funds), description: 'Funds', author }),
    )
  return wallet.id
}

type Leg = { from_account: number; to_account: number; amount: Amount }

function transfer(leg: Leg): NewTransfer {
  return {
    reference: randomUUID(),
    kind: 'admin_funds_update',
    currency: 'BXC',
    description: 'Test',
    author,
    ...leg,
  }
}

function move(...legs: Leg[]): Promise<void> {
  return begin(db, (tx) => moveMoney(tx, NOW, legs.map(transfer)))
}

async function balances(...ids: number[]): Promise<Amount[]> {
  const accounts = await listAccounts(db, organization)
  return ids.map((id) => accounts.find((one) => one.id === id)!.balance)
}

async function account(id: number) {
  const [row] = await db<{ balance: Amount; overdrawn: boolean }[]>`
    select balance, overdrawn from accounts where id = ${id}`
  return { ...row! }
}
