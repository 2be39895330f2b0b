import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { recordBackupAction } from '../../../actions/operator-actions.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { secretKeyIds } from '../../../core/access/secret-key.ts'
import { writeBackup } from '../../../db/embedded/backup.ts'
import type { Manifest } from '../../../db/embedded/backup-files.ts'
import { findDatabaseFolder } from '../../../db/embedded/folder.ts'
import { addPlainCommand, type Told } from '../../plain-command.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { VERSION } from '../../version.ts'
import { checkBackup, describeCheck } from './check.ts'
import { requireEmbedded, SANDBOX_FILES } from './embedded-only.ts'
import { addRestore } from './restore.ts'
import { addSending } from './sending.ts'

/** Add backups of the embedded PostgreSQL, and the steps after a restore. */
export function addBackup(program: Command, terminal: Terminal): void {
  addPlainCommand(program, terminal, {
    name: 'backup',
    description: 'back up the embedded PostgreSQL while the service runs',
    typed: {
      folder: typed('<folder>', 'a new folder; best on another disk', (path) => resolve(path)),
      check: typed('--check', 'then start a copy of the backup and check its data'),
    },
    help: NOTES,
    run: ({ folder, check }) => runBackup(terminal, folder, check === true),
  })
  addRestore(program, terminal)
  addSending(program, terminal)
}

async function runBackup(terminal: Terminal, folder: string, checks: boolean): Promise<Told> {
  const { manifest, config } = await withApp(terminal, async (app) => {
    const made = await back(app, folder)
    // The backup does not contain its own record, which is written when the backup is complete.
    await runAction(app, operator(null), recordBackupAction, { folder })
    return { manifest: made, config: app.config }
  })
  const { created, secret_key, files } = manifest
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const check = checks ? await checkBackup(folder, config) : undefined
  const text = [
    `The backup of ${created} is in ${folder} (${files.length} files, ${Math.ceil(bytes / 1_048_576)} MB).`,
    config.SECRET_KEY
      ? `SECRET_KEY is not in it, and it cannot be used without: keep the key ${secret_key} at another place.`
      : 'The secret key of the sandbox is in it.',
    ...(check ? describeCheck(check) : []),
  ]
  const facts = { folder, created, secret_key, files: files.length, bytes }
  const fault = check && check.findings.length > 0 && 'The data of the backup is not in order.'
  return { shown: { ...facts, ...(check && { check }) }, text, fault }
}

function back(app: App, target: string): Promise<Manifest> {
  const { config, sealingKeys } = app
  requireEmbedded(config)
  const data_dir = resolve(config.DATA_DIR)
  return app.asOwner((owner) =>
    writeBackup({
      owner,
      target,
      version: VERSION,
      mode: config.MODE,
      now: app.clock.real,
      home: findDatabaseFolder(data_dir),
      secret_key: secretKeyIds(sealingKeys).present,
      others: config.SECRET_KEY ? {} : Object.fromEntries(SANDBOX_FILES.map((name) => [name, join(data_dir, name)])),
    }),
  )
}

const NOTES = `
The backup has everything that was answered before it ended. The folder gets its name when the backup is
complete; each of its files has a checksum. Examples:
  npx kusanya backup /mnt/backups/$(date +%F) --check
  npx kusanya restore /mnt/backups/2030-01-31 --check      # only check it`
