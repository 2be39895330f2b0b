import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ServerUser } from '../../src/db/embedded/user.ts'

/** Room for the data of a test and for the log that PostgreSQL keeps. */
const MEGABYTES = 1_000

/** True if this user may make a disk. */
export const mayMount = process.getuid?.() === 0

/** Mount a small disk in memory at a folder, which belongs to this user. Only root may do so. */
export function mountDisk(folder: string, user: ServerUser | null): void {
  const owner = user === null ? '' : `,uid=${user.uid},gid=${user.gid}`
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0750${owner}`, 'kusanya-cluster', folder])
}

/** Take the disk away again, if there is one. */
export function unmountDisk(folder: string): void {
  if (readFileSync('/proc/mounts', 'utf8').includes(` ${folder} `)) execFileSync('umount', [folder])
}
