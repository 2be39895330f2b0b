import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../../../config.ts'
import type { RestoredData } from '../../../core/operations/restored-data.ts'
import type { Backup } from '../../../db/embedded/backup-files.ts'
import { findDatabaseFolder } from '../../../db/embedded/folder.ts'
import { CommandError } from '../../errors.ts'
import { addPlainCommand, type Told } from '../../plain-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { type BackupCheck, checkBackup, describeCheck, examine, openBackup } from './check.ts'
import { requireEmbedded, SANDBOX_FILES } from './embedded-only.ts'

export function addRestore(program: Command, terminal: Terminal): void {
  addPlainCommand(program, terminal, {
    name: 'restore',
    description: 'restore a backup to DATA_DIR, which must not have a database',
    typed: {
      folder: typed('<folder>', 'the folder of the backup', (path) => resolve(path)),
      check: typed('--check', 'only check the backup, with a copy beside it; the service may be running'),
      force: typed('--force', 'restore it even if its data is not in order'),
    },
    help: NOTES,
    async run({ folder, check, force = false }) {
      const config = readConfig(terminal.environment)
      requireEmbedded(config)
      return check ? onlyCheck(folder, config) : restore(folder, config, force)
    },
  })
}

async function onlyCheck(folder: string, config: Config): Promise<Told> {
  const check = await checkBackup(folder, config)
  const fault = check.findings.length > 0 && 'The data of the backup is not in order.'
  return { shown: check, text: describeCheck(check), fault }
}

async function restore(folder: string, config: Config, force: boolean): Promise<Told> {
  const backup = await openBackup(folder)
  if (backup.manifest.mode !== config.MODE)
    throw new CommandError(`This is a backup of MODE=${backup.manifest.mode}, and MODE is ${config.MODE}.`)
  const data_dir = resolve(config.DATA_DIR)
  const files = await readSandboxFiles(backup, config, data_dir)
  let result: (BackupCheck & RestoredData) | undefined
  const isKept = ({ findings }: BackupCheck) => findings.length === 0 || force
  await examine(backup, findDatabaseFolder(data_dir), config, async (check, prepared) => {
    result = { ...check, ...prepared }
    // Before the database, which cannot be used without its key.
    if (isKept(check)) for (const [path, content] of files) await writeFile(path, content, { mode: 0o600, flush: true })
    return isKept(check)
  })
  const restored = isKept(result!)
  const text = [...describeCheck(result!), ...(restored ? describeNext(result!) : [])]
  const fault = !restored && 'Nothing was restored. --force restores it in spite of this.'
  return { shown: { restored, ...result! }, text, fault }
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
It copies the backup, and refuses one that is damaged. Then it starts the copy, checks the books,
the sequences and the stored secrets, and lists what was open. A service on restored data sends nothing to networks
until \`npx kusanya sending release\`. Needs the SECRET_KEY of the time of the backup.`
