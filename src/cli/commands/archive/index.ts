import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import { type ArchiveKind, archiveKinds } from '../../../core/archive/kinds.ts'
import { recordArchiveRun, recordRequestsArchived } from '../../../core/archive/last-run.ts'
import { type OldestRow, readOldest } from '../../../core/archive/oldest.ts'
import { retentionLimit } from '../../../core/archive/overdue.ts'
import { listSegments } from '../../../core/archive/segments.ts'
import { NotFound } from '../../../core/refusals.ts'
import { begin } from '../../../db/client.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, filter, type LimitOption } from '../../list-command.ts'
import { printResult, printRows, toJson } from '../../print.ts'
import { readRetentionRules } from '../../service/retention-rules.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { toTypedPhone } from '../../typed-phones.ts'
import { type ArchivedSubject, type ArchiveMatch, readArchived, searchArchive } from './find.ts'
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

const folderOption = () => new Option('--folder <folder>', 'another folder than ARCHIVE_DIR')

const kindOption = (description: string) => new Option('--kind <kind>', description).choices(archiveKinds)

const folderOf = ({ config }: App, folder?: string) => (folder === undefined ? archiveFolder(config) : resolve(folder))

interface RunOptions {
  kind?: ArchiveKind
  dryRun?: boolean
  json?: boolean
}

function addRun(command: Command, terminal: Terminal): void {
  command
    .command('run', { isDefault: true })
    .description('archive rows older than their retention, then remove them')
    .addOption(kindOption('only this kind'))
    .option('--dry-run', 'only show how much it would be')
    .addOption(jsonOption())
    .action((options: RunOptions) => withApp(terminal, (app) => runArchive(terminal, app, options)))
}

async function runArchive(terminal: Terminal, app: App, { kind, dryRun, json }: RunOptions): Promise<void> {
  const kinds = kind ? [kind] : archiveKinds
  const folder = archiveFolder(app.config)
  if (dryRun) {
    const counts: Partial<Record<ArchiveKind, number>> = {}
    for (const one of kinds) counts[one] = await countCandidates(app, one)
    const text = Object.entries(counts).map(([one, count]) => `${one}: ${count} to write`)
    return printResult(terminal, counts, { json, text: text.join('\n') })
  }
  const until = retentionLimit(readRetentionRules(app), 'requests')
  const run = await archive(app, { kinds, folder })
  await begin(app.db, async (tx) => {
    if (kinds.includes('requests')) await recordRequestsArchived(tx, until)
    // A run of one kind leaves the others as old as they are.
    if (!kind) await recordArchiveRun(tx, app.clock.real())
  })
  const changed = run.changed === 0 ? '' : ` ${run.changed} changed meanwhile and stay for the next run.`
  const text =
    run.written + run.removed === 0
      ? 'Nothing is older than its retention.'
      : `Written: ${run.written} in ${run.segments.length} segments in ${folder}. Removed: ${run.removed}.${changed}`
  printResult(terminal, { folder, ...run }, { json, text })
}

function addStatus(command: Command, terminal: Terminal): void {
  command
    .command('status')
    .description('show how old the oldest rows are, and what the archive has')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const [oldest, segments] = [await readOldest(app.db), await listSegments(app.db)]
        if (options.json) return terminal.print(toJson({ folder: archiveFolder(app.config), oldest, segments }))
        printRows(terminal, oldest, {
          columns: { rows: 'what', 'oldest (UTC)': 'oldest', 'kept for': (row) => keptFor(app, row) },
          none: '',
        })
        const subjects = segments.reduce((sum, segment) => sum + segment.subjects, 0)
        const unfinished = segments.filter(({ removed }) => removed === null).length
        terminal.print(
          `Archive: ${segments.length} segments with ${subjects} subjects in ${archiveFolder(app.config)}.`,
        )
        if (unfinished > 0)
          terminal.print(`Of ${unfinished} segments rows are still to be removed: run \`npx kusanya archive\`.`)
      }),
    )
}

function keptFor({ config }: App, { retention }: OldestRow): string {
  return retention === null ? 'unlimited' : `${config[retention]} days`
}

function addVerify(command: Command, terminal: Terminal): void {
  command
    .command('verify')
    .description('read every file of the archive and compare it with the manifests, and these with the database')
    .addOption(folderOption())
    .option('--files-only', 'compare the files with the manifests alone, without a database')
    .addOption(jsonOption())
    .action(async (options: { folder?: string; filesOnly?: boolean; json?: boolean }) => {
      if (options.filesOnly && options.folder === undefined) throw new CommandError('--files-only needs --folder.')
      const report = options.filesOnly
        ? await verifyArchive(resolve(options.folder!), null)
        : await withApp(
            terminal,
            async (app) => verifyArchive(folderOf(app, options.folder), await listSegments(app.db)),
            { migrated: true, any_secret_key: true },
          )
      const { segments, files, rows, head, faults } = report
      const well = `The archive is complete: ${segments} segments, ${files} files, ${rows} rows, head ${head ?? 'none'}`
      printResult(terminal, report, { ...options, text: faults.length === 0 ? well : faults.join('\n') })
      if (faults.length > 0) throw new CommandError('The archive is not in order. Keep it as it is now.')
    })
}

function addShow(command: Command, terminal: Terminal): void {
  command
    .command('show')
    .description('show a request, the answers to an order, an SMS or an audit entry of the archive')
    .argument('<id>', 'its id, as `archive search` shows it', toCount)
    .addOption(kindOption('what it is').default('requests'))
    .addOption(folderOption())
    .addOption(jsonOption())
    .action((id: number, options: { kind: ArchiveKind; folder?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const found = await readArchived(app.db, folderOf(app, options.folder), options.kind, id)
        if (!found) throw new NotFound(`The archive has nothing with the id ${id} among its ${options.kind}.`)
        printResult(terminal, found, { ...options, text: describe(found) })
      }),
    )
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

interface SearchOptions extends LimitOption {
  kind?: ArchiveKind
  organization?: number
  contact?: number
  phone?: string
  reference?: string
  folder?: string
}

function addSearch(command: Command, terminal: Terminal): void {
  addList<ArchiveMatch, SearchOptions>(command, terminal, {
    name: 'search',
    description: 'search the archive, the newest segment first',
    filters: [
      kindOption('only this kind'),
      filter('-o, --organization <id>', 'those of one organization', toCount),
      filter('--contact <id>', 'requests of one contact', toCount),
      filter('--phone <number>', 'those of everyone who has this number now', toTypedPhone),
      filter('--reference <text>', 'a reference of an order or SMS, or an id of the network'),
      folderOption(),
    ],
    limit: 'how many',
    read: (app, { limit, folder, ...filters }) => searchArchive(app.db, folderOf(app, folder), filters, limit),
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
