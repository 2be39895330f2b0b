import { execFileSync } from 'node:child_process'
import type { ServerUser } from '../../src/db/embedded/user.ts'

/** Room for the data of a test and for the log that PostgreSQL keeps. */
const MEGABYTES = 1_000

/** Whether this user may make a disk. */
export const mayMount = process.getuid?.() === 0

/** Mounts a small disk in memory at a folder of this user, and returns the folder. Only root may do so. */
export function mountDisk(folder: string, user: ServerUser | null): string {
  const owner = user === null ? '' : `,uid=${user.uid},gid=${user.gid}`
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0750${owner}`, 'kusanya-cluster', folder])
  return folder
}

export function unmountDisk(folder: string): void {
  execFileSync('umount', [folder])
}
