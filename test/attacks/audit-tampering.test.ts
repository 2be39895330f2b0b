import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChainHead, readChainHead, verifyChain } from '../../src/core/access/audit-chain.ts'
import { connect, type Database } from '../../src/db/client.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { printFigure } from './figures.ts'

let service: TestService
/** The connection of an attacker who has got the service's password of the database. */
let stolen: Database
let head: ChainHead

beforeAll(async () => {
  service = await openTestService({ jobs: false })
  for (const name of ['a', 'b', 'c', 'd'])
    await service.shop.post('/api/webhooks', { event: 'collection.received', target: `https://${name}.example/` })
  head = await readChainHead(service.testApp.db)
  expect(head.position).toBe(4)
  stolen = connect(service.testApp.app.config.DATABASE_URL!, { connections: 1, application: 'attack' })
})
afterAll(async () => {
  await stolen?.end()
  await service?.close()
})

const TABLES = ['audit_log', 'audit_chain', 'transfers']

/** Attempts to hide an action, or money. */
const tries = [
  ...TABLES.flatMap((table) => [
    `delete from ${table}`,
    `truncate ${table} cascade`,
    `drop table ${table} cascade`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} rename to hidden`,
    `create trigger swallow before insert on ${table} for each row execute function refuse_change()`,
    `set session_replication_role = replica; delete from ${table}`,
  ]),
  "update audit_log set action = 'sign in'",
  "update audit_chain set digest = ''",
  'update transfers set amount = 1',
  "insert into audit_chain values (5, 1, '')",
  'alter table audit_log alter column created drop not null',
  'drop trigger audit_log_chain on audit_log',
  'create or replace function chain_audit_entry() returns trigger language plpgsql as $$ begin return null; end $$',
  'drop function chain_audit_entry() cascade',
  "select drop_time_partition('audit_log', 'audit_log')",
  "select drop_time_partition('events', 'transfers')",
  "select create_time_partition('transfers', now(), now())",
  "select create_time_partition('events; drop table transfers', now(), now())",
  'create table mine (id integer)',
  'alter role current_user superuser',
  'set role kusanya',
  "copy (select 1) to program 'id'",
]

it('somebody with the password of the service cannot change the audit log or the ledger', async () => {
  const passed: string[] = []
  for (const text of tries)
    await stolen.unsafe(text).then(
      () => passed.push(text),
      () => {},
    )
  printFigure('audit-tampering', `${passed.length} of ${tries.length} tries with the role of the service passed`)
  expect(passed).toEqual([])
  expect(await verifyChain(service.testApp.db, { kept: [head] })).toMatchObject({ ...head, faults: [] })
})

it('inserted entries are chained, too, and hide nothing', async () => {
  await stolen`insert into audit_log (action, details, created) values ('sign in', '{}', '2001-01-01')`
  expect(await verifyChain(service.testApp.db, { kept: [head] })).toMatchObject({ position: 5, faults: [] })
})

it('changes by the owner of the tables are found', async () => {
  const off = 'alter table audit_log disable trigger user; alter table audit_chain disable trigger user;'
  const changes = {
    'an action is changed': "update audit_log set action = 'sign in' where id = 2",
    'the person is changed': 'update audit_log set "user" = null where id = 3',
    'an entry is removed': 'delete from audit_chain where entry = 2; delete from audit_log where id = 2',
    'the newest entries are removed': 'delete from audit_chain where position > 3; delete from audit_log where id > 3',
    'two entries change places':
      'update audit_chain set position = -position where position in (2, 3); update audit_chain set position = 5 + position where position < 0',
    'everything is removed': 'truncate audit_chain, audit_log',
    'an entry is added without the trigger':
      "insert into audit_log (action, details, created) values ('sign in', '{}', now())",
    'an entry is added in the middle':
      "update audit_chain set position = -position where position > 2; update audit_chain set position = 1 - position where position < 0; insert into audit_log (action, details, created) values ('x', '{}', now()); insert into audit_chain select 3, max(id), '' from audit_log",
  }
  const missed: string[] = []
  for (const [what, text] of Object.entries(changes)) {
    const found = await changeAndVerify(`${off} ${text}`)
    if (found.length === 0) missed.push(what)
  }
  const count = Object.keys(changes).length
  printFigure('audit-tampering', `${count - missed.length} of ${count} changes by the owner of the tables found`)
  expect(missed).toEqual([])
})

/** Verify the log as it would be after a change, and take the change back. */
async function changeAndVerify(text: string): Promise<string[]> {
  let faults: string[] = []
  const undone = service.testApp.db.begin('begin', async (tx) => {
    await tx.unsafe(text)
    faults = (await verifyChain(tx, { kept: [head] })).faults
    throw new Error('undo')
  })
  await expect(undone).rejects.toThrow('undo')
  return faults
}
