import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../../../config.ts'
import type { RestoredData } from '../../../core/control/restored-data.ts'
import type { Backup } from '../../../db/embedded/backup-files.ts'
import { findDatabaseFolder } from '../../../db/embedded/folder.ts'
import { jsonOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import type { Terminal } from '../../terminal.ts'
import { type BackupCheck, checkBackup, describeCheck, examine, openBackup } from './check.ts'
import { requireEmbedded, SANDBOX_FILES } from './embedded-only.ts'

interface RestoreOptions {
  check?: boolean
  force?: boolean
  json?: boolean
}

export function addRestore(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .description('restore a backup to DATA_DIR, which must not have a database')
    .argument('<folder>', 'the folder of the backup')
    .option('--check', 'only check the backup, with a copy beside it; the service may be running')
    .option('--force', 'restore it even if its data is not in order')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action(async (folder: string, options: RestoreOptions) => {
      const config = readConfig(terminal.environment)
      requireEmbedded(config)
      if (options.check) await onlyCheck(terminal, resolve(folder), config, options)
      else await restore(terminal, resolve(folder), config, options)
    })
}

async function onlyCheck(terminal: Terminal, folder: string, config: Config, options: RestoreOptions): Promise<void> {
  const check = await checkBackup(folder, config)
  printResult(terminal, check, { ...options, text: describeCheck(check).join('\n') })
  if (check.findings.length > 0) throw new CommandError('The data of the backup is not in order.')
}

async function restore(terminal: Terminal, folder: string, config: Config, options: RestoreOptions): Promise<void> {
  const backup = await openBackup(folder)
  if (backup.manifest.mode !== config.MODE)
    throw new CommandError(`This is a backup of MODE=${backup.manifest.mode}, and MODE is ${config.MODE}.`)
  const data_dir = resolve(config.DATA_DIR)
  const files = await readSandboxFiles(backup, config, data_dir)
  let result: (BackupCheck & RestoredData) | undefined
  await examine(backup, findDatabaseFolder(data_dir), config, async (check, prepared) => {
    result = { ...check, ...prepared }
    const keep = check.findings.length === 0 || options.force === true
    // Before the database, which cannot be used without its key.
    if (keep) for (const [path, content] of files) await writeFile(path, content, { mode: 0o600, flush: true })
    return keep
  })
  const kept = result!.findings.length === 0 || options.force === true
  const text = [...describeCheck(result!), ...(kept ? describeNext(result!) : [])].join('\n')
  printResult(terminal, { restored: kept, ...result! }, { ...options, text })
  if (!kept) throw new CommandError('Nothing was restored. --force restores it in spite of this.')
}

function describeNext({ created, asked_orders, asked_purchases }: BackupCheck & RestoredData): string[] {
  return [
    `Restored: the data of ${created}.`,
    'Sending is held: nothing goes to networks or billers, because it may have been sent after the backup.',
    `Their ends are asked for as soon as the service runs: ${asked_orders} orders and ${asked_purchases} bill purchases that the backup had as not sent.`,
    'Start the service, compare with the statements of the networks (`npx kusanya reconcile`), cancel what was sent already',
    '(`npx kusanya payments cancel`), and then: npx kusanya sending release. docs/operating/backup.md has the steps.',
  ]
}

/** The files of a sandbox to write, by their paths. @throws CommandError if DATA_DIR has another secret key */
async function readSandboxFiles(backup: Backup, config: Config, data_dir: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  await mkdir(data_dir, { recursive: true })
  for (const name of SANDBOX_FILES) {
    const from = join(backup.folder, 'data', name)
    const to = join(data_dir, name)
    if (!existsSync(from)) continue
    const content = await readFile(from, 'utf8')
    const present = existsSync(to) ? await readFile(to, 'utf8') : undefined
    if (name === 'secret-key' && config.SECRET_KEY === undefined && present !== undefined && present !== content)
      throw new CommandError(`${to} is not the key of this backup. Nothing was changed: restore into a new DATA_DIR.`)
    if (present === undefined) files.set(to, content)
  }
  return files
}

const NOTES = `
It reads each byte of the backup first and refuses one that is damaged. Then it starts the copy, checks the books,
the sequences and the stored secrets, and lists what was open. A service on restored data sends nothing to networks
until \`npx kusanya sending release\`. Needs the SECRET_KEY of the time of the backup.`
