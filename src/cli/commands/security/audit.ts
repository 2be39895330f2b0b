import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../../app.ts'
import { type AuditedObject, auditedObjects, listAudit, readChainedEntries } from '../../../core/access/audit.ts'
import { type ChainHead, type ChainReport, readChainHead, verifyChain } from '../../../core/access/audit-chain.ts'
import { beginLong, type Database } from '../../../db/client.ts'
import { chooseOrganization, readSharedTimeZone, toCount, toPast, toPastEnd } from '../../arguments.ts'
import { addCommand, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { toJson } from '../../print.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { stretchReader } from '../archive/audit-stretch.ts'
import { UnusableSegment } from '../archive/files.ts'
import { archiveFolder } from '../archive/write.ts'

export function addAuditLog(program: Command, terminal: Terminal): void {
  const audit = program
    .command('audit')
    .description('the audit log: what people and API keys changed')
    .addHelpText('after', NOTES)

  addEntries(audit, terminal)

  addCommand(audit, terminal, {
    name: 'export',
    description: 'write all entries of the installation to a file, oldest first, one JSON object a line',
    typed: { file: typed('<file.jsonl>', 'the file to write') },
    access: READING,
    async run({ db }, { file }) {
      const count = await exportEntries(db, file)
      return { shown: { file, count }, text: `${count} entries written to ${file}.` }
    },
  })
  addCommand(audit, terminal, {
    name: 'verify',
    description: 'check that no entry was changed, removed or put elsewhere',
    typed: {
      head: typed(
        '--head <head>',
        'a head that was noted before, which must still be in the log; repeatable',
        collectHeads,
      ),
      archives: typed(
        '--archives [folder]',
        'verify also the entries in the archive, in ARCHIVE_DIR or another folder',
      ),
    },
    access: READING,
    run: verify,
  })
  addCommand(audit, terminal, {
    name: 'head',
    description: 'print the head of the log, to keep it in another place',
    access: READING,
    async run({ db }) {
      const head = await readChainHead(db)
      return { shown: head, text: formatHead(head) }
    },
  })
}

/** The log can be read on any machine, also on a copy of the database without its SECRET_KEY. */
const READING = { migrated: true, any_secret_key: true }

function addEntries(audit: Command, terminal: Terminal): void {
  addList(audit, terminal, {
    description: 'list the newest entries of an organization, or of the installation',
    typed: {
      installation: typed('--installation', 'what concerns no organization, such as maintenance'),
      user: typed('--user <id>', 'only those of this user', toCount),
      key: typed('--key <id>', 'only those of this API key', toCount),
      action: typed('--action <action>', 'only this action, such as "revoke key"'),
      object: typed(
        '--object <type>',
        'only what concerns an object of this type; with its id as "webhook 12"',
        toObject,
      ),
      since: typed('--since <date>', 'only after this time', toPast),
      until: typed('--until <date>', 'only before this time, or until the end of this day', toPastEnd),
    },
    organization: 'all',
    limit: 'the number of entries',
    async read(app, { limit, installation, object, since, until, ...filters }, owner) {
      const chosen = installation ? null : (owner ?? (await chooseOrganization(app.db, undefined)))
      const time_zone = chosen?.time_zone ?? (await readSharedTimeZone(app.db))
      const now = app.clock.now()
      const times = { created_after: since?.(now, time_zone), created_before: until?.(now, time_zone) }
      const newest = { limit, offset: 0, field: 'id', descending: true } as const
      return listAudit(app.db, chosen?.id ?? null, { ...filters, ...object, ...times }, newest)
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

/** Such as `webhook`, or `webhook 12`. */
function toObject(text: string): { object_type: AuditedObject; object?: number } {
  const [, name, id] = /^([a-z]+)(?:[ :](\d{1,16}))?$/.exec(text.trim().toLowerCase()) ?? []
  const object_type = auditedObjects.find((one) => one === name)
  if (!object_type) throw new InvalidArgumentError(`Choose from: ${auditedObjects.join(', ')}.`)
  return id === undefined ? { object_type } : { object_type, object: Number(id) }
}

async function verify(
  { db, config }: App,
  { archives, head: kept }: { head: ChainHead[] | undefined; archives: string | true | undefined },
): Promise<Told> {
  const folder = typeof archives === 'string' ? resolve(archives) : archiveFolder(config)
  const readStretch = archives === undefined ? undefined : stretchReader(folder)
  const report = await beginLong(db, 'consistency check', (tx) => verifyChain(tx, { kept, readStretch })).catch(
    (error: unknown) => {
      throw error instanceof UnusableSegment ? new CommandError(error.message) : error
    },
  )
  const is_whole = report.faults.length === 0
  return {
    shown: report,
    text: is_whole ? describe(report) : report.faults,
    fault: !is_whole && 'The audit log was changed. Keep a backup of it as it is now.',
  }
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
