import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { type AuditEntry, listAudit, readChainedEntries } from '../../../core/access/audit.ts'
import { type ChainHead, readChainHead, verifyChain } from '../../../core/access/audit-chain.ts'
import { beginLong, type Database } from '../../../db/client.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, filter, newest } from '../../list-command.ts'
import { printResult, toJson } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

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
    .addOption(jsonOption())
    .action((options: { head?: ChainHead[]; json?: boolean }) =>
      withApp(terminal, ({ db }) => verify(terminal, db, options), READING),
    )

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
    ],
    limit: 'the number of entries',
    read: async (app, { limit, installation, organization, ...filters }) => {
      const id = installation ? null : (await chooseOrganization(app.db, organization)).id
      return listAudit(app.db, id, filters, newest(limit))
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
  limit: number
}

async function verify(
  terminal: Terminal,
  db: Database,
  options: { head?: ChainHead[]; json?: boolean },
): Promise<void> {
  const report = await beginLong(db, 'consistency check', (tx) => verifyChain(tx, options.head))
  const text =
    report.faults.length === 0
      ? `The audit log is complete: ${report.position} entries, head ${formatHead(report)}`
      : report.faults.join('\n')
  printResult(terminal, report, { ...options, text })
  if (report.faults.length > 0) throw new CommandError('The audit log was changed. Keep a backup of it as it is now.')
}

/** So many entries are read at a time. */
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
  const [, position, digest] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  if (!position || !digest) throw new InvalidArgumentError('It must be a line that `audit head` has printed.')
  return [...earlier, { position: Number(position), digest: digest.toLowerCase() }]
}

const NOTES = `
Every entry has a digest that covers the entry before it. \`verify\` computes all of them again and names the first entry that
does not fit; \`doctor\` and the service do it, too. Somebody who owns the tables can write a whole new log: keep a head in
another place (\`audit head\`), and compare with \`audit verify --head <position>:<digest>\`.`
