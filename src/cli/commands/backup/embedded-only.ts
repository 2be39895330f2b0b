import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config.ts'
import { CommandError } from '../../errors.ts'

/** The files of a sandbox in DATA_DIR. In live mode the secret key is a setting, and does not belong beside the data. */
export const SANDBOX_FILES = ['secret-key', 'demo-api-key', 'demo-password']

/** @throws CommandError with a PostgreSQL of one's own, which has better programs for this */
export function requireEmbedded({ DATABASE_URL }: Pick<Config, 'DATABASE_URL'>): void {
  if (DATABASE_URL)
    throw new CommandError(
      'DATABASE_URL is set, and this command is for the embedded PostgreSQL. Use pgBackRest or pg_dump (docs/operating/backup.md).',
    )
}

/** The secret key of a sandbox that is in its backup. */
export async function readSandboxKey(folder: string): Promise<string | undefined> {
  const path = join(folder, 'data/secret-key')
  return existsSync(path) ? (await readFile(path, 'utf8')).trim() : undefined
}
