import { resolve } from 'node:path'
import type { Command } from 'commander'
import { recordArchiveRunAction } from '../../../actions/operator-actions.ts'
import { runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { type ArchiveKind, archiveKinds } from '../../../core/archive/kinds.ts'
import { type OldestRow, readOldest } from '../../../core/archive/oldest.ts'
import { retentionLimit } from '../../../core/archive/overdue.ts'
import { listSegments } from '../../../core/archive/segments.ts'
import { NotFound } from '../../../core/refusals.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { toCount } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { addPlainCommand } from '../../plain-command.ts'
import { printRows } from '../../print.ts'
import { readRetentionRules } from '../../service/retention-rules.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, preset, typed } from '../../typed.ts'
import { toTypedPhone } from '../../typed-phones.ts'
import { type ArchivedSubject, readArchived, searchArchive } from './find.ts'
import { verifyArchive } from './verify.ts'
import { archive, archiveFolder, countCandidates } from './write.ts'

/** Add the archive: rows past their retention, in files beside the database. */
export function addArchive(program: Command, terminal: Terminal): void {
  const command = program
    .command('archive')
    .description('old requests, answers of networks, SMS and audit entries: write to files, remove, and find again')
    .addHelpText('after', NOTES)

  addRun(command, terminal)
  addStatus(command, terminal)
  addVerify(command, terminal)
  addShow(command, terminal)
  addSearch(command, terminal)
}

const FOLDER = typed('--folder <folder>', 'another folder than ARCHIVE_DIR')
const KIND = chosen('--kind <kind>', 'only this kind', archiveKinds)

const FILES_ONLY = typed('--files-only', 'with --folder: the archive of the cell from which an organization has come')

/** The archive of this cell, or another one. @throws CommandError */
function placeOf(app: App, { folder, files_only = false }: { folder?: string; files_only?: boolean }) {
  if (files_only && folder === undefined) throw new CommandError('--files-only needs --folder.')
  return { folder: folderOf(app, folder), files_only }
}

const folderOf = ({ config }: App, folder?: string) => (folder === undefined ? archiveFolder(config) : resolve(folder))

function addRun(command: Command, terminal: Terminal): void {
  addCommand(command, terminal, {
    name: 'run',
    description: 'archive rows older than their retention, then remove them',
    typed: { kind: KIND, dry_run: typed('--dry-run', 'only show how much it would be') },
    is_default: true,
    async run(app, { kind, dry_run }, { actor }) {
      const kinds = kind ? [kind] : archiveKinds
      const folder = archiveFolder(app.config)
      if (dry_run) {
        const counts: Partial<Record<ArchiveKind, number>> = {}
        for (const one of kinds) counts[one] = await countCandidates(app, one)
        return { shown: counts, text: Object.entries(counts).map(([one, count]) => `${one}: ${count} to write`) }
      }
      const until = retentionLimit(readRetentionRules(app), 'requests')
      let orders_until: number | undefined
      const run = await archive(app, {
        kinds,
        folder,
        onReached(one, id) {
          if (one === 'orders') orders_until = id
        },
      })
      const reached = { is_whole: !kind, orders_until, ...(kinds.includes('requests') && { requests_until: until }) }
      await runAction(app, actor, recordArchiveRunAction, reached)
      const changed = run.changed === 0 ? '' : ` ${run.changed} changed meanwhile and stay for the next run.`
      const text =
        run.written + run.removed === 0
          ? 'Nothing is older than its retention.'
          : `Written: ${run.written} in ${run.segments.length} segments in ${folder}. Removed: ${run.removed}.${changed}`
      return { shown: { folder, ...run }, text }
    },
  })
}

function addStatus(command: Command, terminal: Terminal): void {
  addCommand(command, terminal, {
    name: 'status',
    description: 'show how old the oldest rows are, and what the archive has',
    async run(app, _, { json }) {
      const folder = archiveFolder(app.config)
      const [oldest, segments] = [await readOldest(app.db), await listSegments(app.db)]
      if (!json)
        printRows(terminal, oldest, {
          columns: { rows: 'what', 'oldest (UTC)': 'oldest', 'kept for': (row) => keptFor(app, row) },
          none: '',
        })
      const subjects = segments.reduce((sum, segment) => sum + segment.subjects, 0)
      const unfinished = segments.filter(({ removed }) => removed === null).length
      const text = [`Archive: ${segments.length} segments with ${subjects} subjects in ${folder}.`]
      if (unfinished > 0)
        text.push(`Of ${unfinished} segments rows are still to be removed: run \`npx kusanya archive\`.`)
      return { shown: { folder, oldest, segments }, text }
    },
  })
}

function keptFor({ config }: App, { retention }: OldestRow): string {
  return retention === null ? 'unlimited' : `${config[retention]} days`
}

function addVerify(command: Command, terminal: Terminal): void {
  addPlainCommand(command, terminal, {
    name: 'verify',
    description: 'read every file of the archive and compare it with the manifests, and these with the database',
    typed: {
      folder: FOLDER,
      files_only: typed('--files-only', 'compare the files with the manifests alone, without a database'),
    },
    async run({ folder, files_only }) {
      if (files_only && folder === undefined) throw new CommandError('--files-only needs --folder.')
      const report = files_only
        ? await verifyArchive(resolve(folder!), null)
        : await withApp(terminal, async (app) => verifyArchive(folderOf(app, folder), await listSegments(app.db)), {
            migrated: true,
            any_secret_key: true,
          })
      const { segments, files, rows, head, faults } = report
      const well = `The archive is complete: ${segments} segments, ${files} files, ${rows} rows, head ${head ?? 'none'}`
      const is_well = faults.length === 0
      const fault = !is_well && 'The archive is not in order. Keep it as it is now.'
      return { shown: report, text: is_well ? well : faults, fault }
    },
  })
}

function addShow(command: Command, terminal: Terminal): void {
  addCommand(command, terminal, {
    name: 'show',
    description: 'show a request, the answers to an order, an SMS or an audit entry of the archive',
    typed: {
      id: typed('<id>', 'its id, as `archive search` shows it', toCount),
      kind: preset(chosen('--kind <kind>', 'what it is', archiveKinds), 'requests'),
      folder: FOLDER,
      files_only: FILES_ONLY,
    },
    async run(app, { id, kind, ...place }) {
      const found = await readArchived(app.db, placeOf(app, place), kind, id)
      if (!found) throw new NotFound(`The archive has nothing with the id ${id} among its ${kind}.`)
      return { shown: found, text: describe(found) }
    },
  })
}

/** Describe the rows as lines, without empty values. */
function describe({ kind, id, segment, written, tables }: ArchivedSubject): string {
  const lines = [`${id} of ${kind}, in segment ${segment}, written ${formatTimestamp(written)}`]
  for (const [table, rows] of Object.entries(tables))
    for (const row of rows) {
      const facts = Object.entries(row).filter(([, value]) => value !== null && value !== '')
      lines.push(`  ${table}`, ...facts.map(([column, value]) => `    ${column}: ${value}`))
    }
  return lines.join('\n')
}

function addSearch(command: Command, terminal: Terminal): void {
  addList(command, terminal, {
    name: 'search',
    description: 'search the archive, the newest segment first',
    typed: {
      kind: KIND,
      contact: typed('--contact <id>', 'requests of one contact', toCount),
      phone: typed('--phone <number>', 'requests of all contacts with this number', toTypedPhone),
      reference: typed('--reference <text>', 'a reference of an order or SMS, or an id of the network'),
      folder: FOLDER,
      files_only: FILES_ONLY,
    },
    organization: 'all',
    limit: 'how many',
    read: (app, { limit, folder, files_only, ...filters }, owner) => {
      const found = { ...filters, ...(owner && { organization: owner.id }) }
      return searchArchive(app.db, placeOf(app, { folder, files_only }), found, limit)
    },
    none: 'The archive has nothing like this.',
    columns: {
      kind: 'kind',
      id: 'id',
      organization: 'organization',
      created: 'created',
      state: 'status',
      segment: 'segment',
    },
  })
}

const NOTES = `
The settings REQUEST_RETENTION_DAYS, ORDER_RETENTION_DAYS, SMS_RETENTION_DAYS and AUDIT_RETENTION_DAYS say what is old enough,
and ARCHIVE_DIR is the folder. A run may be stopped at any time; the next one goes on. It works while the service runs. What the books rest on stays
in the database. Examples:
  $ npx kusanya archive --dry-run
  $ npx kusanya archive
  $ npx kusanya archive verify
  $ npx kusanya archive search --phone +256772000001
  $ npx kusanya archive show 340`
