import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  begin,
  CommitUnknown,
  connect,
  type Database,
  isConnectionError,
  isTimeLimitError,
  type Tx,
} from '../../src/db/client.ts'
import { cloneDatabase } from '../test-app.ts'
import { openWire, type Wire } from './wire.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let wire: Wire
let db: Database

beforeAll(async () => {
  database = await cloneDatabase()
  wire = await openWire(database.url)
  db = connect(wire.url, { connections: 2, application: 'tests' })
  await db.unsafe(`
    create table notes (text text not null);
    create table slow_notes (text text not null);
    create function sleep_a_while() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.3); return null; end $$;
    create constraint trigger slow after insert on slow_notes deferrable initially deferred
      for each row execute function sleep_a_while()`)
})
afterAll(async () => {
  await db.end({ timeout: 1 })
  await wire.close()
  await database.drop()
})

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

async function notes(): Promise<string[]> {
  const rows = await db<{ text: string }[]>`select text from notes union all select text from slow_notes`
  return rows.map(({ text }) => text)
}

/** Both connections of the pool work, at the same time: each transaction waits until the other has begun. */
async function expectWholePool(): Promise<void> {
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pids = begun.map(({ resolve }) =>
    begin(db, async (tx) => {
      resolve()
      await Promise.all(begun.map(({ promise }) => promise))
      return (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
    }),
  )
  expect(new Set(await Promise.all(pids)).size).toBe(2)
}

describe('a transaction', () => {
  it('gives what its work gives, and keeps what it wrote', async () => {
    expect(await begin(db, (tx) => tx`insert into notes values ('kept') returning text`)).toEqual([{ text: 'kept' }])
    expect(await notes()).toEqual(['kept'])
    await begin(db, (tx) => tx`delete from notes`)
  })

  it('keeps nothing when its work fails', async () => {
    const work = begin(db, async (tx) => {
      await tx`insert into notes values ('dropped')`
      throw new Error('on purpose')
    })
    await expect(work).rejects.toThrow('on purpose')
    expect(await notes()).toEqual([])
  })

  it('keeps nothing when a statement fails, though its work does not mind', async () => {
    const caught = begin(db, async (tx) => {
      await tx`insert into notes values ('dropped')`
      await tx`select nothing`.catch(() => {})
    })
    await expect(caught).rejects.toMatchObject({ code: '42703' })
    const ignored = begin(db, async (tx) => {
      await tx`insert into notes values ('dropped')`
      void tx`select nothing`
    })
    await expect(ignored).rejects.toMatchObject({ code: '42703' })
    expect(await notes()).toEqual([])
    await expectWholePool()
  })

  it('fails with the error of the statement that failed first, though another part of its work notices earlier', async () => {
    const fails = begin(db, async (tx) => {
      const deep = async (depth: number): Promise<unknown> => (depth === 0 ? tx`select 1 / 0` : await deep(depth - 1))
      await Promise.all([deep(20), tx`select 1`])
    })
    await expect(fails).rejects.toMatchObject({ code: '22012' })
  })

  it('sends what does not wait for results in one go, and has the results in order', async () => {
    await begin(db, async (tx) => {
      await tx`select 1`
      wire.block()
      const rows = Promise.all([tx`select 'first' as a`, tx`select 'second' as b`, tx`select 'third' as c`])
      await vi.waitFor(() => expect(wire.sent()).toMatch(/'first'.*'second'.*'third'/s), 120_000)
      wire.unblock()
      expect(await rows).toEqual([[{ a: 'first' }], [{ b: 'second' }], [{ c: 'third' }]])
    })
  })

  it('commits with the writes whose results nothing reads, without waiting for them', async () => {
    const work = begin(db, async (tx) => {
      await tx`select 1`
      wire.block()
      tx.send`insert into notes values (${'travels with'})`
      tx.send`insert into notes values (${'the commit'})`
    })
    await vi.waitFor(() => expect(wire.sent()).toMatch(/travels with.*the commit.*commit/s), 120_000)
    wire.unblock()
    await work
    expect(await notes()).toEqual(['travels with', 'the commit'])
    await begin(db, (tx) => tx`delete from notes`)
  })

  it('fails with the error of such a write, and keeps nothing', async () => {
    const failed = begin(db, async (tx) => {
      await tx`insert into notes values ('dropped')`
      tx.send`insert into notes values ('dropped as well')`
      tx.send`insert into notes values (${null})`
      tx.send`insert into notes values ('never written')`
    })
    await expect(failed).rejects.toMatchObject({ code: '23502' })
    expect(await notes()).toEqual([])
    await expectWholePool()
  })

  it('does not let a statement run before it has begun', async () => {
    wire.block()
    const work = begin(db, (tx) => tx`select 'not before' as a`)
    await sleep(50)
    expect(wire.sent()).not.toContain('not before')
    wire.unblock()
    await work
  })

  it('refuses statements when it is over, so that they reach no other', async () => {
    let late: Tx | undefined
    const failed = begin(db, async (tx) => {
      late = tx
      await Promise.all([tx`select nothing`, sleep(30).then(() => tx`insert into notes values ('late')`)])
    })
    await expect(failed).rejects.toMatchObject({ code: '42703' })
    await begin(db, async (tx) => {
      await sleep(60)
      await expect(late!`insert into notes values ('later')`).rejects.toThrow('over')
      await tx`select 1`
    })
    expect(await notes()).toEqual([])
  })
})

describe('a transaction whose connection is lost', () => {
  it('fails as one whose database is away, whichever side hangs up, and the next one finds a new connection', async () => {
    for (const hangUp of [wire.end, wire.reset, wire.reset, wire.reset, wire.end, wire.end]) {
      const lost = begin(db, async (tx) => {
        await tx`select 1`
        const asleep = tx`select pg_sleep(10)`
        setTimeout(hangUp, 20)
        await asleep
      })
      const error = await errorOf(lost)
      expect(isConnectionError(error)).toBe(true)
      expect(error).not.toBeInstanceOf(CommitUnknown)
      expect(await begin(db, (tx) => tx`select 7 as seven`)).toEqual([{ seven: 7 }])
    }
    await expectWholePool()
  })

  it('fails also when it was between two statements, or at its end', async () => {
    for (const rest of [(tx: Tx) => tx`select 2`, async () => {}]) {
      const lost = begin(db, async (tx) => {
        await tx`insert into notes values ('lost')`
        wire.end()
        await sleep(30)
        await rest(tx)
      })
      const error = await errorOf(lost)
      expect(isConnectionError(error)).toBe(true)
      expect(error).not.toBeInstanceOf(CommitUnknown)
    }
    expect(await notes()).toEqual([])
    await expectWholePool()
  })

  it('may have happened when it is lost during the commit, and only then', async () => {
    const commits = () => wire.sent().split('commit\0').length
    const single = connect(wire.url, { connections: 1, application: 'tests' })
    for (const hangUp of [wire.end, wire.reset]) {
      const before = commits()
      const lost = errorOf(begin(single, (tx) => tx`insert into slow_notes values ('perhaps')`))
      await vi.waitFor(() => expect(commits()).toBe(before + 1), 120_000)
      hangUp()
      expect(await lost).toBeInstanceOf(CommitUnknown)
    }
    await single.end({ timeout: 1 })
    const refused = begin(db, async (tx) => {
      await tx`create table twice (id integer unique deferrable initially deferred)`
      await tx`insert into twice values (1), (1)`
    })
    expect(await errorOf(refused)).toMatchObject({ code: '23505' })
    await expectWholePool()
  })

  it('fails when the database ends its connection', async () => {
    const lost = begin(db, async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      await Promise.all([tx`select pg_sleep(10)`, db`select pg_terminate_backend(${row!.pid}::integer)`])
    })
    expect(isConnectionError(await errorOf(lost))).toBe(true)
    await expectWholePool()
  })
})

describe('a database with the defaults of others', () => {
  it('gives times, bytes and isolation as they are', async () => {
    const { url, service_url, drop } = await cloneDatabase()
    const name = new URL(url).pathname.slice(1)
    const owner = connect(url, { connections: 1, application: 'tests' })
    for (const setting of [
      "datestyle = 'SQL, DMY'",
      "bytea_output = 'escape'",
      "timezone = 'Africa/Lagos'",
      "default_transaction_isolation = 'serializable'",
    ])
      await owner.unsafe(`alter database ${name} set ${setting}`)
    await owner.end()
    const own = connect(service_url, { connections: 1, application: 'tests' })
    const [row] = await own<{ time: Date; bytes: Buffer; isolation: string }[]>`
      select timestamptz '2030-02-01T08:30:00Z' as time, decode('00ff5c', 'hex') as bytes,
        current_setting('transaction_isolation') as isolation`
    await own.end()
    await drop()
    expect(row).toEqual({
      time: new Date('2030-02-01T08:30:00Z'),
      bytes: Buffer.from('00ff5c', 'hex'),
      isolation: 'read committed',
    })
  })
})

describe('many at once', () => {
  it('share one connection: single statements side by side, transactions one after the other', async () => {
    const narrow = connect(wire.url, { connections: 1, application: 'tests' })
    const read = () => narrow<{ pid: number }[]>`select pg_backend_pid() as pid`
    const write = () => begin(narrow, (tx) => tx<{ pid: number }[]>`select pg_backend_pid() as pid`)
    const work = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? write() : read()))
    const pids = (await Promise.all(work)).map(([row]) => row!.pid)
    expect(new Set(pids).size).toBe(1)
    await narrow.end({ timeout: 1 })
  })

  it('fail at once while nothing listens, and work as soon as something does', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    const { port } = holder.address() as { port: number }
    await new Promise((resolve) => holder.close(resolve))
    const address = new URL(database.url)
    address.port = String(port)
    const away = connect(address.href, { connections: 2, application: 'tests' })
    const errors = await Promise.all(Array.from({ length: 20 }, () => errorOf(away`select 1`)))
    expect(errors.every(isConnectionError)).toBe(true)
    const late = await openWire(database.url, port)
    await vi.waitFor(async () => expect(await away`select 1 as one`).toEqual([{ one: 1 }]), 120_000)
    await away.end({ timeout: 1 })
    await late.close()
  })

  it('fail after three seconds, or after the time of their pool or address, when the database accepts a connection and says nothing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const address = `postgres://user:password@127.0.0.1:${port}/name`
    const mute = connect(address, { connections: 2, application: 'tests' })
    const hasty = connect(address, { connections: 2, application: 'tests', connect_timeout_s: 0.2 })
    const stated = connect(`${address}?connect_timeout=1`, { connections: 1, application: 'tests' })
    const ended: string[] = []
    const note = async (name: string, error: Promise<unknown>) => {
      expect(isConnectionError(await error)).toBe(true)
      ended.push(name)
    }
    await Promise.all([
      note('mute', errorOf(mute`select 1`)),
      note('mute', errorOf(begin(mute, (tx) => tx`select 1`))),
      note('stated', errorOf(stated`select 1`)),
      note('hasty', errorOf(hasty`select 1`)),
      note('hasty', errorOf(hasty.reserve('maintenance'))),
    ])
    expect(ended).toEqual(['hasty', 'hasty', 'stated', 'mute', 'mute'])
    await Promise.all([mute, hasty, stated].map((one) => one.end({ timeout: 1 })))
    silent.close()
  })

  it('may fail while no caller waits, and the process goes on', async () => {
    void db`select nothing`
    void begin(db, async (tx) => void tx`select nothing`).catch(() => {})
    await expectWholePool()
  })
})

describe('looks for due work', () => {
  it('share one connection beside the pool, and keep the plan of the index though it was made while the table was empty', async () => {
    const own = connect(database.url, { connections: 1, application: 'tests' })
    try {
      await own.unsafe(`
        create table tasks (id bigint primary key, due_at timestamptz) with (autovacuum_enabled = off);
        create index tasks_due on tasks (due_at) where due_at is not null`)
      const look = async () =>
        (
          await own.polling<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from tasks where due_at is not null and id <> ${0}`
        )[0]!.due_at
      await begin(own, async (tx) => {
        // The only connection of the pool is in use.
        expect(await Promise.all([look(), look()])).toEqual([null, null])
        await tx`insert into tasks select i, case when i = 5 then timestamptz '2030-01-15' end from generate_series(1, 20000) i`
      })
      expect(await look()).toEqual(new Date('2030-01-15'))
      const [plan] = await own.polling<{ generic: number; mode: string }[]>`
        select generic_plans::integer as generic, current_setting('plan_cache_mode') as mode
        from pg_prepared_statements where statement like '%min(due_at)%from tasks%' and statement not like '%pg_prepared%'`
      expect(plan).toEqual({ generic: 3, mode: 'force_generic_plan' })
      await own.polling`select pg_stat_force_next_flush()`
      const [read] = await own<{ scans: number }[]>`
        select seq_scan::integer as scans from pg_stat_user_tables where relname = 'tasks'`
      // Building the index reads the table once.
      expect(read!.scans).toBeLessThanOrEqual(1)
    } finally {
      await own.end({ timeout: 1 })
    }
  })
})

describe('the end of a pool', () => {
  it('waits for what is under way, as long as it is told to', async () => {
    const patient = connect(wire.url, { connections: 2, application: 'tests' })
    const work = begin(patient, (tx) => tx`select 1 as one, pg_sleep(0.2)`)
    const stuck = connect(wire.url, { connections: 2, application: 'tests' })
    const hangs = errorOf(stuck`select pg_sleep(60)`)
    for (const statement of ['pg_sleep(0.2)', 'pg_sleep(60)'])
      await vi.waitFor(() => expect(wire.sent()).toContain(statement), 120_000)
    await Promise.all([patient.end(), stuck.end({ timeout: 0.1 })])
    expect(await work).toMatchObject([{ one: 1 }])
    expect(isConnectionError(await hangs)).toBe(true)
    expect(isConnectionError(await errorOf(patient`select 1`))).toBe(true)
  })
})

describe('a subscription', () => {
  it('hears again after its connection is lost, and says when it listens', async () => {
    const heard: string[] = []
    let listens = 0
    const subscription = await db.listen('news', heard.push.bind(heard), () => {
      listens += 1
    })
    await db.notify('news', 'first')
    await vi.waitFor(() => expect(heard).toContain('first'), 120_000)
    for (const [index, hangUp] of [wire.end, wire.reset].entries()) {
      hangUp()
      await vi.waitFor(() => expect(listens).toBe(index + 2), 120_000)
      await vi.waitFor(() => db.notify('news', `after ${index}`), 120_000)
      await vi.waitFor(() => expect(heard).toContain(`after ${index}`), 120_000)
    }
    await subscription.unlisten()
    await db.notify('news', 'unheard')
    expect(heard).not.toContain('unheard')
  })

  it('can be ended when its connection is lost, whichever side hangs up', async () => {
    for (const hangUp of [wire.end, wire.reset]) {
      const subscription = await db.listen('news', () => {})
      hangUp()
      await expect(subscription.unlisten()).resolves.toBeUndefined()
    }
  })
})

describe('a time limit', () => {
  it('ends a statement that takes too long, or waits too long for a lock', async () => {
    const limits = { statement: 1, lock: 0, idle_transaction: 0 }
    const hasty = connect(wire.url, { connections: 2, application: 'tests', limits })
    const error = await errorOf(hasty`select pg_sleep(30)`)
    expect([isTimeLimitError(error), isConnectionError(error)]).toEqual([true, false])
    await hasty.end({ timeout: 1 })

    const impatient = connect(wire.url, {
      connections: 2,
      application: 'tests',
      limits: { statement: 0, lock: 1, idle_transaction: 0 },
    })
    const waits = begin(db, async (tx) => {
      await tx`lock table notes`
      return errorOf(begin(impatient, (other) => other`lock table notes`))
    })
    expect(isTimeLimitError(await waits)).toBe(true)
    await impatient.end({ timeout: 1 })
  })
})
