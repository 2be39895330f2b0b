import { rename, rm } from 'node:fs/promises'

/**
 * Moves a complete folder of built files to the place where it is served. A reader finds the old files or the new ones,
 * and none that is half written. Several processes may replace the folder at once: the last one wins.
 */
export async function replaceFolder(built: string, served: string): Promise<void> {
  const former = `${built}-former`
  const isFree = () => rename(built, served).then(() => true, ignoreErrors('ENOTEMPTY', 'EEXIST'))
  while (!(await isFree())) {
    await rename(served, former).catch(ignoreErrors('ENOENT'))
    await rm(former, { recursive: true, force: true })
  }
}

/** Turns errors with these codes into false. */
function ignoreErrors(...codes: string[]) {
  return (error: NodeJS.ErrnoException): false => {
    if (!codes.includes(error.code ?? '')) throw error
    return false
  }
}
