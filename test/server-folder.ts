import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_FOLDER = '/dev/shm'
/** More than the databases of all tests that run at once take. */
const ENOUGH_BYTES = 6 * 2 ** 30

/**
 * Create the data folder of a PostgreSQL whose content need not outlive its run: in memory where there is plenty of it,
 * because cloning and emptying databases makes thousands of files.
 */
export async function createServerFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join((await hasMemoryFolder()) ? MEMORY_FOLDER : tmpdir(), prefix))
  // Root's server runs as another user, who must be able to get in.
  await chmod(folder, 0o755)
  return folder
}

async function hasMemoryFolder(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER)
    return bavail * bsize > ENOUGH_BYTES && freemem() > ENOUGH_BYTES
  } catch {
    return false
  }
}
