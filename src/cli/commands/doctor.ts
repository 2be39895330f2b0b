import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { countSealed } from '../../core/access/sealed-values.ts'
import { findUnreadable } from '../../core/access/secret-key.ts'
import { findFirstCandidate } from '../../core/archive/candidates.ts'
import { archiveKinds, kindRules } from '../../core/archive/kinds.ts'
import { readOldest } from '../../core/archive/oldest.ts'
import { listUnfinished } from '../../core/archive/segments.ts'
import { describeFloat, listFloatNotices } from '../../core/ledger/balances.ts'
import { isSendingHeld } from '../../core/sending.ts'
import { checkServiceRole } from '../../db/service-role.ts'
import { runConsistencyChecks } from '../../jobs/check-consistency.ts'
import { describeSpace } from '../../lib/disk-space.ts'
import { jsonOption } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { encryptedColumns } from '../service/secret-key.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'
import { retentionLimit } from './archive/write.ts'

export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'check the data: the books, money on hold, paid requests, counts, the audit log, callbacks, unassigned money',
    )
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((options: { json?: boolean }) =>
      withApp(terminal, (app) => examine(terminal, app, options), { migrated: true, any_secret_key: true }),
    )
}

async function examine(terminal: Terminal, app: App, options: { json?: boolean }): Promise<void> {
  const found: { check: string; finding: string }[] = []
  for await (const { check, findings } of runConsistencyChecks(app.db)) {
    found.push(...findings.map((finding) => ({ check, finding })))
    if (options.json) continue
    terminal.print(`${findings.length === 0 ? terminal.good('✓') : terminal.bad('✗')} ${check}`)
    for (const finding of findings) terminal.print(`    ${finding}`)
  }
  if (!options.json) for (const line of ['  the oldest rows', ...(await describeAges(app))]) terminal.print(line)
  const warnings = await findWarnings(app)
  if (options.json) terminal.print(JSON.stringify([...found, ...warnings], null, 2))
  else for (const { finding } of warnings) terminal.print(`${terminal.strong('!')} ${finding}`)
  if (found.length > 0)
    throw new CommandError(found.length === 1 ? 'One thing is wrong.' : `${found.length} things are wrong.`)
}

/** What is wrong with the installation rather than with the data. */
async function findWarnings(app: App): Promise<{ check: string; level: 'warning'; finding: string }[]> {
  const role = await checkServiceRole(app.db)
  const secrets = await findSecretWarnings(app)
  const space = await app.disk?.look()
  const floats = (await listFloatNotices(app.db)).flatMap(describeFloat)
  const disk = [space && describeSpace(space)].filter((text) => typeof text === 'string')
  const held = (await isSendingHeld(app.db))
    ? ['Nothing goes to networks and billers until `npx kusanya sending release`.']
    : []
  const warn = (check: string) => (finding: string) => ({ check, level: 'warning' as const, finding })
  return [
    ...role.map(warn('the role of the service')),
    ...secrets.map(warn('stored secrets')),
    ...floats.map(warn('floats')),
    ...disk.map(warn('the disk')),
    ...held.map(warn('sending')),
    ...(await findOverdue(app)).map(warn('retention')),
  ]
}

/** Rows may stay so long after the end of their retention: the archive is written by hand or once a month. */
const OVERDUE_MS = 45 * 24 * 60 * 60 * 1_000

/** What should have been in the archive for some time. */
async function findOverdue(app: App): Promise<string[]> {
  const found = await Promise.all(
    archiveKinds.map(async (kind) => {
      const before = new Date(retentionLimit(app, kind).getTime() - OVERDUE_MS)
      const first = await findFirstCandidate(app.db, kind, before)
      if (!first) return []
      const { retention } = kindRules[kind]
      const days = app.config[retention]
      return `The oldest of ${kindNames[kind]} is of ${first.created.toISOString().slice(0, 10)}, and ${retention} is ${days}: run \`npx kusanya archive\`.`
    }),
  )
  const unfinished = await listUnfinished(app.db)
  const names = unfinished.map(({ sequence }) => sequence).join(', ')
  return [
    ...found.flat(),
    ...(unfinished.length > 0
      ? [`Rows of segment ${names} of the archive are still to be removed: run \`npx kusanya archive\`.`]
      : []),
  ]
}

const kindNames = { requests: 'the requests', orders: 'the answers to orders', sms: 'the SMS' } as const

/** One line for each kind of rows: how old the oldest is. */
async function describeAges(app: App): Promise<string[]> {
  return (await readOldest(app.db)).flatMap(({ what, oldest, retention }) => {
    if (!oldest) return []
    const kept = retention === null ? '' : `, kept for ${app.config[retention]} days`
    return `    ${what}: ${oldest.toISOString().slice(0, 10)}${kept}`
  })
}

/** Stored secrets that cannot be read, and those that will not be once SECRET_KEY_PREVIOUS is gone. */
async function findSecretWarnings({ db, sealingKeys }: App): Promise<string[]> {
  const unreadable = await findUnreadable(db, sealingKeys, encryptedColumns)
  const counts = await countSealed(db, sealingKeys, encryptedColumns)
  const earlier = counts.filter(({ key }) => key === 'previous').map(({ count, what }) => `${count} ${what}`)
  return [
    ...unreadable.map(({ what, count }) => `SECRET_KEY cannot decrypt ${count} ${what}.`),
    ...(earlier.length > 0
      ? [`SECRET_KEY_PREVIOUS is still the key of ${earlier.join(', ')}: run \`npx kusanya secrets rotate\`.`]
      : []),
  ]
}

const NOTES = `
It only reads, and works while the service runs. The exit code is 1 when something is wrong; lines
with ! are warnings about the installation. The service makes the same
checks every night: it logs what it finds with the event consistency_check_failed and counts it in the metric
kusanya_consistency_findings.`
