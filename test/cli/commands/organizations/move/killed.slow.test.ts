import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveOrganization } from '../../../../../src/cli/commands/organizations/move/steps.ts'
import { checkAuditChain } from '../../../../../src/core/access/audit-chain.ts'
import { createOrganization } from '../../../../../src/core/access/organizations.ts'
import { sealSecrets, unsealSecrets } from '../../../../../src/core/connections/connections.ts'
import { readSealedSecret } from '../../../../../src/core/events/endpoints.ts'
import { WEBHOOK_KEY_PURPOSE } from '../../../../../src/core/events/webhooks.ts'
import type { MoveStep } from '../../../../../src/core/moves.ts'
import { begin, type Tx } from '../../../../../src/db/client.ts'
import { decrypt } from '../../../../../src/lib/secrets.ts'
import { REQUIRED_FIELDS, type TestService } from '../../../../interface/test-service.ts'
import { createApiClient, eventually } from '../../../../test-app.ts'
import { openShell } from '../../../shell.ts'
import { CELL, NUMBER, openTwoCells, type TwoCells } from './two-cells.ts'

/* The command that moves an organization: what it refuses, and its process killed at every step. */

const KEYS = { zero: 'a'.repeat(64), three: 'b'.repeat(64) }
const STEPS: readonly MoveStep[] = ['open', 'hold', 'held', 'copied', 'verified', 'redirected']
const PROGRAM = join(import.meta.dirname, '../../../../../src/cli/index.ts')

let cells: TwoCells
let organization: number
let webhook: number
let file: string

/** The settings of a command in a cell. */
function settingsOf({ testApp: { app } }: TestService): Record<string, string> {
  const { DATABASE_URL, MIGRATION_DATABASE_URL, SECRET_KEY, CELL: cell, CELLS, CELLS_SECRET, DATA_DIR } = app.config
  return {
    DATABASE_URL: DATABASE_URL!,
    MIGRATION_DATABASE_URL: MIGRATION_DATABASE_URL!,
    SECRET_KEY: SECRET_KEY!,
    DATA_DIR,
    CELL: String(cell),
    CELLS: JSON.stringify(CELLS),
    CELLS_SECRET: CELLS_SECRET!,
    KUSANYA_ENV_FILE: 'off',
  }
}

beforeAll(async () => {
  cells = await openTwoCells(KEYS)
  organization = cells.zero.otherShop.organization
  await begin(cells.zero.testApp.db, (tx) =>
    addConnection(tx, sealSecrets(cells.zero.testApp.app.sealingKeys, SECRETS)),
  )
  webhook = await cells.addWebhook('contact.created', 'https://127.0.0.1:1/hook')
  file = join(cells.three.testApp.app.config.DATA_DIR, 'cell3.env')
  const lines = Object.entries(settingsOf(cells.three)).map(([name, value]) => `${name}='${value}'`)
  await writeFile(file, lines.join('\n'), { mode: 0o600 })
})
afterAll(() => cells?.close())

const secretOf = async ({ testApp: { app, db } }: TestService) =>
  decrypt(app.sealingKeys(WEBHOOK_KEY_PURPOSE), await readSealedSecret(db, webhook))

/** Secrets of the organization's own connection. */
const SECRETS = { secret: 'only this merchant account has it' }

async function addConnection(tx: Tx, sealed: string | null): Promise<void> {
  await tx`
    insert into connections (slug, driver, environment, organization, sealed_secrets, callback_secret, state, created, modified)
    values ('own-till', 'sandbox', 'sandbox', ${organization}, ${sealed}, ${'0'.repeat(32)}, 'active', now(), now())`
}

/** Read the state and the secrets of the organization's own connection in a cell. */
async function ownConnection({ testApp: { app, db } }: TestService) {
  const [row] = await db<{ state: string; sealed_secrets: string }[]>`
    select state, sealed_secrets from connections where slug = 'own-till'`
  return row && { state: row.state, secrets: unsealSecrets(app.sealingKeys, row.sealed_secrets) }
}

async function stepOf({ testApp }: TestService): Promise<MoveStep | undefined> {
  const [move] = await testApp.db<
    { step: MoveStep }[]
  >`select step from organization_moves where organization = ${organization}`
  return move?.step
}

function start(): ChildProcess {
  const environment = { PATH: process.env.PATH!, ...settingsOf(cells.zero) }
  return spawn(process.execPath, [PROGRAM, 'organizations', 'move', String(organization), '--to', file], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Start the command until it has done a step, and kill it with SIGKILL. The lock of a killed one ends with its connection. */
async function killAfter(step: MoveStep): Promise<void> {
  const reached = STEPS.indexOf(step)
  await eventually(`the step ${step}`, async () => {
    const child = start()
    const exit = once(child, 'exit')
    while (child.exitCode === null) {
      const now = await stepOf(cells.zero)
      if (now && (now === 'moved' || STEPS.indexOf(now) >= reached)) break
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    child.kill('SIGKILL')
    await exit
    const now = await stepOf(cells.zero)
    return (now && (now === 'moved' || STEPS.indexOf(now) >= reached)) || undefined
  })
}

describe('the command', () => {
  it('refuses what would go wrong, and changes nothing', async () => {
    const { zero, three } = cells
    const kusanya = openShell(settingsOf(zero))
    const move = (...args: string[]) => kusanya(['organizations', 'move', String(organization), '--to', file, ...args])
    const same = join(zero.testApp.app.config.DATA_DIR, 'same.env')
    await writeFile(
      same,
      Object.entries(settingsOf(zero))
        .map(([name, value]) => `${name}='${value}'`)
        .join('\n'),
    )
    const itself = await kusanya(['organizations', 'move', String(organization), '--to', same])
    expect(itself.err).toContain('The settings of --to belong to this cell, 0.')
    const down = await openShell(settingsOf(three))([
      'organizations',
      'move',
      String(three.otherShop.organization),
      '--to',
      same,
    ])
    expect(down.err).toContain('An organization moves to a cell with a higher number.')

    await three.testApp.db`update users set email = 'owner@second.example' where email = 'other@second.example'`
    expect((await move()).err).toContain('owner@second.example has another account in the other cell.')
    await three.testApp.db`update users set email = 'other@second.example' where email = 'owner@second.example'`

    const { db } = three.testApp
    await db`update connection_places set number = ${NUMBER} where account = (select min(account) from connection_places)`
    await db`
      insert into api_keys (organization, "user", name, hash, prefix, last_four, read_only, created)
      select organization, "user", 'of another', sha256(convert_to(${zero.otherShop.key}, 'UTF8')), prefix, last_four, read_only, created from api_keys limit 1`
    const names = await move()
    expect(names.err).toContain('The other cell has an API key with the text of "second" already.')
    expect(names.err).toContain(`Unrequested BXC to ${NUMBER} of sandbox belongs to another account in the other cell.`)
    await db`delete from api_keys where name = 'of another'`
    await db`update connection_places set number = 'other' where number = ${NUMBER}`

    await zero.testApp.db`insert into migrations (name, kind) values ('9999_later.sql', 'widen')`
    expect((await move()).err).toContain('Upgrade both cells to the same version first.')
    await zero.testApp.db`delete from migrations where name = '9999_later.sql'`
    expect(await stepOf(zero)).toBeUndefined()
    expect(await stepOf(three)).toBeUndefined()
  })
})

describe('a move whose process is killed with SIGKILL at each step', () => {
  it('ends with the same rows in the other cell, and secrets under its key', async () => {
    const { zero, three } = cells
    const made: number[] = []
    for (let count = 0; count < 20; count += 1)
      made.push((await zero.otherShop.post('/api/collectionrequests', REQUIRED_FIELDS)).body.id)
    const secret = await secretOf(zero)
    await killAfter('open')
    await killAfter('hold')
    // A process of the new cell that starts meanwhile neither calls nor polls with the copied connection.
    expect(await ownConnection(three)).toEqual({ state: 'paused', secrets: SECRETS })
    for (const step of STEPS.slice(2)) await killAfter(step)
    await eventually('the end of the move', async () => {
      const child = start()
      const [code] = await once(child, 'exit')
      return code === 0 || undefined
    })
    expect(await stepOf(zero)).toBe('moved')
    expect(await stepOf(three)).toBe('open')
    expect(await secretOf(three)).toBe(secret)
    expect(await ownConnection(three)).toEqual({ state: 'active', secrets: SECRETS })
    expect(await ownConnection(zero)).toEqual({ state: 'paused', secrets: SECRETS })
    const shop = createApiClient(three.url, zero.otherShop.key)
    for (const id of made) expect((await shop.get(`/api/collectionrequests/${id}`)).body.id).toBe(id)
    expect((await shop.post('/api/collectionrequests', REQUIRED_FIELDS)).body.id).toBeGreaterThan(CELL * 10 ** 13)
    const left = await zero.testApp.db`select 1 from collection_requests where organization = ${organization}`
    expect(left).toEqual([])
    for (const { testApp } of [zero, three]) expect(await checkAuditChain(testApp.db)).toEqual([])
  })

  it('leaves entries for the load balancer', async () => {
    const { out } = await openShell(settingsOf(cells.zero))(['cells', 'maps', '--json'])
    expect(JSON.parse(out)).toEqual([
      { map: 'moved-keys.map', entry: expect.stringMatching(/^[0-9A-F]{64}$/), cell: 'cell3' },
      { map: 'paths.map', entry: expect.stringContaining('own-till/'), cell: 'cell3' },
    ])
  })

  it('cannot be moved by two processes at once, nor back to a lower cell', async () => {
    const { zero, three } = cells
    const [here, there] = [zero.testApp.app, three.testApp.app]
    const { id } = await begin(here.db, (tx) => createOrganization(tx, here.clock.now(), 'Third Shop'))
    await moveOrganization(here, there, id, async (says) => {
      if (says === 'verify')
        await expect(moveOrganization(here, there, id, () => {})).rejects.toThrow('Another process is moving')
    })
    await expect(moveOrganization(there, here, id, () => {})).rejects.toThrow('a cell with a higher number')
    expect(await there.db`select name from organizations where id = ${id}`).toEqual([{ name: 'Third Shop' }])
  })
})
