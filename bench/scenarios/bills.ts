import { fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin, type Database } from '../../src/db/client.ts'
import { type Amount, parseAmount } from '../../src/lib/money.ts'
import { gates } from '../gates.ts'
import { load } from '../load.ts'
import {
  type Check,
  countAnswers,
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import { rawPost } from '../requests.ts'
import { BILL_CURRENCY, type Shop } from '../shops.ts'
import { bareServerLoad } from './create.ts'
import { checkBooks } from './settle.ts'

/** More than a machine can sell in a second. This many purchases are prepared for each second. */
const MAX_PURCHASES_PER_SECOND = 4_000
/** More than all purchases cost. */
const FUNDS = parseAmount('1000000000')!

/**
 * Measure bill purchases, airtime and prepaid electricity in turn. Each is answered after the simulated biller has sold
 * it. Jobs and biller run in the service. Afterwards exactly the spent money must be gone, and every token be unique.
 */
export async function measureBills(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  for (const shop of service.shops) await fund(service.db, shop)
  const before = await readWalletTotals(service.db)
  const [bare, bought] = await measureInTurns('bills', options.rounds, [bareServerLoad(context), purchaseLoad(context)])
  return {
    figures: [
      {
        ...figureOf('bill purchase: to the answer with the token', bought!),
        ratio: ratioOf(bought!, bare!),
        gate: gates.bills,
      },
    ],
    checks: [
      await checkSold(service.db, countAnswers(bought!, 200)),
      await checkSpent(service.db, before.wallets),
      await checkBooks(service.db),
    ],
  }
}

function purchaseLoad({ service, options }: ScenarioContext): MeasuredLoad {
  let round = 0
  return (warmup_s) => {
    round += 1
    const count = Math.ceil((options.seconds + warmup_s) * MAX_PURCHASES_PER_SECOND)
    const requests = Array.from({ length: count }, (_, index) =>
      rawPurchase(service.shops[index % service.shops.length]!, `bench-${round}-${index}`, index),
    )
    return load({ ...options, url: service.url, requests, once: true, warmup_s, expected: 200 })
  }
}

function rawPurchase(shop: Shop, agentReference: string, index: number): string {
  const purchase = { agentReference, agentId: '207', phone: '08031234567' }
  const headers = { 'x-api-key': shop.key }
  return index % 2 === 0
    ? rawPost('/api/gateway/services/airtime/request', headers, {
        ...purchase,
        service_type: 'mtn',
        plan: 'prepaid',
        amount: 100,
      })
    : rawPost('/api/gateway/services/electricity/request', headers, {
        ...purchase,
        service_type: 'ikeja_electric_prepaid',
        account_number: '04042404048',
        amount: '2000',
      })
}

async function fund(db: Database, { bill_account: account, author }: Shop): Promise<void> {
  await begin(db, (tx) => fundAccount(tx, new Date(), { account, amount: FUNDS, description: 'Funds', author }))
}

interface WalletTotals {
  wallets: Amount
  held: Amount
}

async function readWalletTotals(db: Database): Promise<WalletTotals> {
  const [row] = await db<WalletTotals[]>`
    select sum(balance) filter (where kind = 'local') as wallets, sum(balance) filter (where kind = 'held') as held
    from accounts where currency = ${BILL_CURRENCY}`
  return row!
}

/** Check that every answered purchase was sold at once, and nothing else was sold. */
async function checkSold(db: Database, answered: number): Promise<Check> {
  const [row] = await db<{ all: number; at_once: number; prepaid: number; tokens: number; sold: number }[]>`
    select count(*) as all, count(*) filter (where p.status = 'success' and o.network_calls = 0) as at_once,
      count(*) filter (where p.kind = 'electricity') as prepaid, count(distinct p.vended ->> 'token') as tokens,
      (select count(*) from simulator_vends where state = 'vended') as sold
    from bill_purchases p join network_orders o on o.bill_purchase = p.id and o.attempt = p.attempt`
  const { all, at_once, prepaid, tokens, sold } = row!
  return {
    claim:
      `${answered} purchases were answered, ${at_once} of ${all} are stored as successful, the biller sold ${sold}; ` +
      `${prepaid} were prepaid and have ${tokens} different tokens`,
    holds: [all, at_once, sold].every((count) => count === answered) && prepaid === tokens,
  }
}

async function checkSpent(db: Database, before: Amount): Promise<Check> {
  const { wallets, held } = await readWalletTotals(db)
  const [row] = await db<{ spent: Amount | null }[]>`
    select sum(amount + fee) as spent from bill_purchases where status = 'success'`
  return {
    claim: 'all purchases are paid, and no money is on hold',
    holds: held === 0n && before - wallets === (row?.spent ?? 0n),
  }
}
