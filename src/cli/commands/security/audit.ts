import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../../app.ts'
import {
  type AuditEntry,
  type AuditedObject,
  auditedObjects,
  listAudit,
  readChainedEntries,
} from '../../../core/access/audit.ts'
import { type ChainHead, type ChainReport, readChainHead, verifyChain } from '../../../core/access/audit-chain.ts'
import { beginLong, type Database } from '../../../db/client.ts'
import {
  chooseOrganization,
  jsonOption,
  organizationOption,
  type PastTime,
  readSharedTimeZone,
  toCount,
  toPast,
  toPastEnd,
} from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, filter, newest } from '../../list-command.ts'
import { printResult, toJson } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { stretchReader } from '../archive/audit-stretch.ts'
import { UnusableSegment } from '../archive/files.ts'
import { archiveFolder } from '../archive/write.ts'

export function addAuditLog(program: Command, terminal: Terminal): void {
  const audit = program
    .command('audit')
    .description('the audit log: what people and API keys changed')
    .addHelpText('after', NOTES)

  addEntries(audit, terminal)

  audit
    .command('export')
    .description('write all entries of the installation to a file, oldest first, one JSON object a line')
    .argument('<file.jsonl>', 'the file to write')
    .addOption(jsonOption())
    .action((file: string, options: { json?: boolean }) =>
      withApp(
        terminal,
        async ({ db }) => {
          const count = await exportEntries(db, file)
          printResult(terminal, { file, count }, { ...options, text: `${count} entries written to ${file}.` })
        },
        READING,
      ),
    )

  audit
    .command('verify')
    .description('check that no entry was changed, removed or put elsewhere')
    .option('--head <head>', 'a head that was noted before, which must still be in the log; repeatable', collectHeads)
    .option('--archives [folder]', 'verify also the entries in the archive, in ARCHIVE_DIR or another folder')
    .addOption(jsonOption())
    .action((options: VerifyOptions) => withApp(terminal, (app) => verify(terminal, app, options), READING))

  audit
    .command('head')
    .description('print the head of the log, to keep it in another place')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      withApp(
        terminal,
        async ({ db }) => {
          const head = await readChainHead(db)
          printResult(terminal, head, { ...options, text: formatHead(head) })
        },
        READING,
      ),
    )
}

function addEntries(audit: Command, terminal: Terminal): void {
  addList<AuditEntry, ListOptions>(audit, terminal, {
    description: 'list the newest entries of an organization, or of the installation',
    filters: [
      organizationOption(),
      filter('--installation', 'what concerns no organization, such as maintenance'),
      filter('--user <id>', 'only those of this user', toCount),
      filter('--key <id>', 'only those of this API key', toCount),
      filter('--action <action>', 'only this action, such as "revoke key"'),
      filter('--object <type>', 'only what concerns an object of this type; with its id as "webhook 12"', toObject),
      filter('--since <date>', 'only after this time', toPast),
      filter('--until <date>', 'only before this time, or until the end of this day', toPastEnd),
    ],
    limit: 'the number of entries',
    read: async (app, { limit, installation, organization, object, since, until, user, key, action }) => {
      const chosen = installation ? null : await chooseOrganization(app.db, organization)
      const time_zone = chosen?.time_zone ?? (await readSharedTimeZone(app.db))
      const now = app.clock.now()
      const times = { created_after: since?.(now, time_zone), created_before: until?.(now, time_zone) }
      return listAudit(app.db, chosen?.id ?? null, { user, key, action, ...object, ...times }, newest(limit))
    },
    none: 'There are no entries.',
    columns: {
      id: 'id',
      time: 'created',
      who: (row) => row.key_name ?? row.user_name ?? (typeof row.details.by === 'string' ? row.details.by : null),
      action: 'action',
      object: (row) => (row.object === null ? null : `${row.object_type} ${row.object}`),
      details: (row) => toJson(row.details, 0),
      address: 'address',
    },
  })
}

/** The log can be read on any machine, also on a copy of the database without its SECRET_KEY. */
const READING = { migrated: true, any_secret_key: true }

interface ListOptions {
  organization?: number
  installation?: boolean
  user?: number
  key?: number
  action?: string
  object?: { object_type: AuditedObject; object?: number }
  since?: PastTime
  until?: PastTime
  limit: number
}

/** Such as `webhook`, or `webhook 12`. */
function toObject(text: string): { object_type: AuditedObject; object?: number } {
  const [, name, id] = /^([a-z]+)(?:[ :](\d{1,16}))?$/.exec(text.trim().toLowerCase()) ?? []
  const object_type = auditedObjects.find((one) => one === name)
  if (!object_type) throw new InvalidArgumentError(`Choose from: ${auditedObjects.join(', ')}.`)
  return id === undefined ? { object_type } : { object_type, object: Number(id) }
}

interface VerifyOptions {
  head?: ChainHead[]
  archives?: string | true
  json?: boolean
}

async function verify(terminal: Terminal, { db, config }: App, options: VerifyOptions): Promise<void> {
  const { archives, head: kept } = options
  const folder = typeof archives === 'string' ? resolve(archives) : archiveFolder(config)
  const readStretch = archives === undefined ? undefined : stretchReader(folder)
  const report = await beginLong(db, 'consistency check', (tx) => verifyChain(tx, { kept, readStretch })).catch(
    (error: unknown) => {
      throw error instanceof UnusableSegment ? new CommandError(error.message) : error
    },
  )
  const text = report.faults.length === 0 ? describe(report) : report.faults.join('\n')
  printResult(terminal, report, { ...options, text })
  if (report.faults.length > 0) throw new CommandError('The audit log was changed. Keep a backup of it as it is now.')
}

function describe(report: ChainReport): string {
  const { archived, archive_verified } = report
  const complete = `The audit log is complete: ${report.position} entries, head ${formatHead(report)}`
  if (archived === 0) return complete
  if (archive_verified) return `${complete}\nThe first ${archived} are in the archive and were verified there.`
  return `The audit log is complete from position ${archived + 1} to ${report.position}, head ${formatHead(report)}
The first ${archived} entries are in the archive: --archives verifies them, too.`
}

/** Entries per read. */
const PAGE = 1_000

async function exportEntries(db: Database, file: string): Promise<number> {
  const out = createWriteStream(file)
  await once(out, 'open').catch((error: Error) => {
    throw new CommandError(`The file ${file} cannot be written: ${error.message}`)
  })
  let [position, count] = [0, 0]
  for (;;) {
    const entries = await readChainedEntries(db, position, PAGE)
    for (const entry of entries) if (!out.write(`${toJson(entry, 0)}\n`)) await once(out, 'drain')
    count += entries.length
    if (entries.length < PAGE) break
    position = entries.at(-1)!.position
  }
  out.end()
  await once(out, 'finish')
  return count
}

function formatHead({ position, digest }: ChainHead): string {
  return `${position}:${digest}`
}

function collectHeads(text: string, earlier: ChainHead[] = []): ChainHead[] {
  const [, position, digest] = /^(\d{1,16}):([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  if (!position || !digest) throw new InvalidArgumentError('It must be a line that `audit head` has printed.')
  return [...earlier, { position: Number(position), digest: digest.toLowerCase() }]
}

const NOTES = `
Every entry has a digest that covers the entry before it. \`verify\` computes all of them again and names the first entry that
does not fit; \`doctor\` and the service do it, too. A person who owns the tables can write a whole new log: keep a head in
another place (\`audit head\`), and compare with \`audit verify --head <position>:<digest>\`. Entries older than
AUDIT_RETENTION_DAYS leave with \`npx kusanya archive\`; \`verify --archives\` verifies them in its files.`
