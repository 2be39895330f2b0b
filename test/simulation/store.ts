import { randomUUID } from 'node:crypto'
import { createOrganization, createUser, setMembership } from '../../src/core/access/organizations.ts'
import { assignReceiver, createAccount, fundAccount } from '../../src/core/ledger/accounts.ts'
import { setFee } from '../../src/core/ledger/fees.ts'
import { maintainPartitions, partitionedTables } from '../../src/core/partitions.ts'
import { setApprovalRule } from '../../src/core/spending/approval-rules.ts'
import { begin, connect, type Database, type Tx } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { storeConnection } from '../connections/fake-connection.ts'
import { OWN_CONNECTION } from './networks.ts'
import { APPROVED_ABOVE } from './payments.ts'

/** A shop that asks customers for money. */
export interface Shop {
  organization: number
  user: number
  /** Approve what the user pays, and may cancel it. */
  approver: number
  /** Its wallets, the oldest first, and whether they hold something at the start. */
  wallets: { account: number; funded: boolean }[]
  /** Wallet that pays bills. */
  bill_account: number
}

/** A database with shops in it that can be brought back to its beginning as often as wanted. */
export interface Store {
  /** Address of the database, for those who open their own connections. */
  url: string
  /** Database of the simulated processes. */
  db: Database
  /** Database connection of the observer. */
  observer: Database
  /**
   * Looks on for those who do not care in which order rows come. It plans a statement once for a run, which takes less than
   * half the time.
   */
  checks: Database
  shops: Shop[]
  /** The receiver number of each wallet on each network, by `network:account`. */
  receivers: Map<string, string>
  /** A wallet of the first shop that has no receiver number until a run gives it one. */
  spare_wallet: number
  /** Everything is again as it was at the beginning, ids included. */
  reset(): Promise<void>
  countLockWaits(): Promise<number>
  close(): Promise<void>
}

const NETWORKS = ['alpha', 'beta', 'gamma']
/** More than all the works of one run need at once. */
const CONNECTIONS = 40
const START_DATE = new Date('2030-01-15T12:00:00Z')
const RETENTION_DAYS = 30

/**
 * Make a database of its own on this server. Nothing in it has to survive a crash, so commits do not wait for the disk.
 */
export async function openStore(server_url: string): Promise<Store> {
  const name = `simulation_${randomUUID().replaceAll('-', '')}`
  const admin = connect(server_url, { connections: 1, application: 'simulation' })
  await admin.unsafe(`create database ${name}`)
  await admin.unsafe(`alter database ${name} set synchronous_commit = off`)
  await admin.unsafe(`alter database ${name} set deadlock_timeout = '50ms'`)
  // A plan that was kept from an earlier run may give rows in another order.
  await admin.unsafe(`alter database ${name} set plan_cache_mode = force_custom_plan`)
  const url = new URL(server_url)
  url.pathname = `/${name}`
  const db = connect(url.href, { connections: CONNECTIONS, application: 'simulated process', renews_plans: false })
  const watch = connect(url.href, { connections: 2, application: 'simulation' })
  await migrate(watch)
  // Tidied up once for the time in which all runs take place, so that no run makes or drops tables of its own.
  for (const family of partitionedTables)
    await begin(watch, (tx) => maintainPartitions(tx, START_DATE, family, RETENTION_DAYS))
  await recordInsertOrder(watch)
  const receivers = new Map<string, string>()
  const shops = await openShops(watch, receivers)
  const spare_wallet = await openSpareWallet(watch, shops[0]!)
  const { moving, sequences } = await findChangingTables(watch)
  // Rows that are due at the same moment come in their physical order, so a replay needs the same order. Therefore they
  // are truncated, and autovacuum is off. The books refuse to be emptied; replica mode skips their triggers.
  for (const table of [...moving, 'accounts']) await watch.unsafe(`alter table ${table} set (autovacuum_enabled = off)`)
  const checks = connect(url.href, { connections: 1, application: 'simulation' })
  await checks.unsafe('set plan_cache_mode = force_generic_plan')
  const findFilled = await readReferences(watch, moving)
  const empty = (filled: readonly string[]) =>
    [
      "set session_replication_role = 'replica'",
      ...(filled.length > 0 ? [`truncate ${filled.join()}`] : []),
      'update accounts set balance = 0, overdrawn = false',
      `delete from connection_places where account = ${spare_wallet}`,
      `select setval(seqrelid::regclass, seqstart, false) from pg_sequence where seqrelid::regclass::text in (${sequences.map((name) => `'${name}'`).join()})`,
      "set session_replication_role = 'origin'",
    ].join(';\n')
  return {
    url: url.href,
    db,
    observer: watch,
    checks,
    shops,
    receivers,
    spare_wallet,
    async reset() {
      const filled = await findFilled()
      await begin(watch, (tx) => tx.unsafe(empty(filled)))
      // The first shop has its money on a merchant account of its own, and little at the operator.
      await begin(watch, async (tx) => {
        for (const [index, shop] of shops.entries()) await fundShop(tx, shop, index === 0 ? '150' : '500')
      })
    },
    async countLockWaits() {
      const [row] = await watch<{ waits: number }[]>`
        select count(*) as waits from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database() and application_name = 'simulated process'`
      return row!.waits
    },
    async close() {
      await Promise.all([db, watch, checks].map((one) => one.end({ timeout: 1 })))
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}

/** Put this amount into each wallet of a shop that holds something at the start, and money for bills. */
async function fundShop(tx: Tx, { user: author, wallets, bill_account }: Shop, funds: string): Promise<void> {
  const fund = (account: number, amount: string) =>
    fundAccount(tx, START_DATE, { account, amount: parseAmount(amount)!, description: 'Funds', author })
  for (const { account, funded } of wallets) if (funded) await fund(account, funds)
  await fund(bill_account, '1500')
}

/** Notes in which order things came to be, where the tables do not tell. */
async function recordInsertOrder(db: Database): Promise<void> {
  await db.unsafe(`
    create table diary (line bigint generated always as identity primary key, tx xid8 not null, "table" text not null, id bigint not null);
    create function note() returns trigger language plpgsql as $$
    begin
      insert into diary (tx, "table", id) values (pg_current_xact_id(), tg_table_name, new.id);
      return null;
    end $$;
    create trigger note after insert on collection_requests for each row execute function note();
    create function note_end() returns trigger language plpgsql as $$
    begin
      insert into diary (tx, "table", id) values (pg_current_xact_id(), 'ends', new.id);
      return null;
    end $$;
    create trigger note_end after update of status on collection_requests for each row
      when (old.status <> new.status and new.status in ('successful', 'failed', 'expired')) execute function note_end();
    create trigger note after insert on allocations for each row execute function note();
    create trigger note after insert on collections for each row execute function note();`)
}

/**
 * Open two shops. The first has its own merchant account beside the operator's, the second a wallet that holds nothing
 * yet.
 */
async function openShops(db: Database, receivers: Map<string, string>): Promise<Shop[]> {
  const shops: Shop[] = []
  for (const [index, funds] of [
    [true, true],
    [true, false],
  ].entries()) {
    await begin(db, async (tx) => {
      const { id: organization } = await createOrganization(tx, START_DATE, `Shop ${index + 1}`)
      const { id: user } = await createUser(tx, START_DATE, { name: 'Owner', email: `owner-${index + 1}@shop.example` })
      await setMembership(tx, START_DATE, { organization, user, permissions: [] })
      const approver = await requireApproval(tx, organization, index + 1)
      const wallets: Shop['wallets'] = []
      for (const funded of funds) {
        const wallet = { organization, currency: 'BXC', kind: 'local' as const, name: 'Wallet', author: user }
        const { id: account } = await createAccount(tx, START_DATE, wallet)
        wallets.push({ account, funded })
        for (const network of index === 0 ? [...NETWORKS, OWN_CONNECTION] : NETWORKS) {
          receivers.set(`${network}:${account}`, String(100_000 + account))
          await storeConnection(tx, network)
          if (network === OWN_CONNECTION)
            await tx`update connections set organization = ${organization} where slug = ${network}`
          await assignReceiver(tx, { connection: network, number: String(100_000 + account), account })
        }
      }
      const { id: bill_account } = await createAccount(tx, START_DATE, {
        organization,
        currency: 'NGN',
        kind: 'local',
        name: 'Bills',
        author: user,
      })
      shops.push({ organization, user, approver, wallets, bill_account })
    })
  }
  return shops
}

async function openSpareWallet(db: Database, { organization, user: author }: Shop): Promise<number> {
  const wallet = { organization, currency: 'BXC', kind: 'local' as const, name: 'Spare', author }
  return (await begin(db, (tx) => createAccount(tx, START_DATE, wallet))).id
}

/** A second person approves what is above an amount, and every payment costs a percent. */
async function requireApproval(tx: Tx, organization: number, n: number): Promise<number> {
  const { id } = await createUser(tx, START_DATE, { name: 'Approver', email: `approver-${n}@shop.example` })
  await setMembership(tx, START_DATE, {
    organization,
    user: id,
    permissions: ['approve_payments', 'initiate_payments'],
  })
  await setApprovalRule(tx, { organization, currency: 'BXC', threshold: parseAmount(APPROVED_ABOVE)! })
  const percent = parseAmount('1')!
  await setFee(tx, START_DATE, {
    organization,
    kind: 'payment',
    currency: 'BXC',
    network: null,
    fixed: 0n,
    percent,
    min_fee: 0n,
    max_fee: null,
  })
  return id
}

/** The tables that a run fills, and the sequences that it draws from. */
async function findChangingTables(db: Database): Promise<{ moving: string[]; sequences: string[] }> {
  const tables = await db<{ name: string }[]>`
    select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname <> all(${FIXED_TABLES}::text[]) and c.relname not like 'simulator%'`
  const moving = tables.map((row) => row.name)
  const sequences = await db<{ name: string }[]>`
    select s.relname as name from pg_class s
    left join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.classid = 'pg_class'::regclass
    left join pg_class t on t.oid = d.refobjid
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
      and (t.relname is null or t.relname = any(${moving}::text[]))`
  return { moving, sequences: sequences.map((row) => row.name) }
}

/**
 * Return a function that finds the tables that hold something, and those that refer to them, which have to be truncated
 * together. Most tables stay empty in a run, and each one that is truncated costs new files.
 */
async function readReferences(db: Database, moving: readonly string[]): Promise<() => Promise<string[]>> {
  const keys = await db<{ source: string; target: string }[]>`
    select s.relname as source, t.relname as target from pg_constraint k
    join pg_class s on s.oid = k.conrelid join pg_class t on t.oid = k.confrelid where k.contype = 'f'`
  const sources = Map.groupBy(keys, ({ target }) => target)
  return async () => {
    const rows = await db<{ name: string }[]>`
      select relname as name from pg_class where relname = any(${moving}::text[])
        and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`
    const found = new Set(rows.map(({ name }) => name))
    for (const name of found) for (const { source } of sources.get(name) ?? []) found.add(source)
    return moving.filter((name) => found.has(name))
  }
}

const FIXED_TABLES = [
  'migrations',
  'countries',
  'currencies',
  'organizations',
  'users',
  'memberships',
  'accounts',
  'connections',
  'connection_places',
  'approval_rules',
  'approver_limits',
  'matching_thresholds',
  'fees',
  'api_keys',
]
