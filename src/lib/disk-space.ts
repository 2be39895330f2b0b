import { statfs } from 'node:fs/promises'

/** Level of free disk space: below 10 % it is low, below 2 % critical; when it is full, nothing more is stored. */
type DiskLevel = 'enough' | 'low' | 'critical' | 'full'

/** The disk that a folder is on. */
export interface DiskSpace {
  folder: string
  /** Bytes that an ordinary user can still write. */
  free_bytes: number
  total_bytes: number
  level: DiskLevel
}

/** Watches the disk of a folder. */
export interface DiskWatch {
  /** Returns the result of the last check; null before the first one, and if the system gives no answer. */
  state(): DiskSpace | null
  /** Looks now. */
  look(): Promise<DiskSpace | null>
  /** Checks every second from now on. Calls this when the level has changed, and after each check of a full disk. */
  start(onChange: (space: DiskSpace) => void): void
  stop(): void
}

/** Reads the size of a disk, as `fs.statfs` does. */
export type ReadDisk = (folder: string) => Promise<{ bavail: number; blocks: number; bsize: number }>

const LOW_SHARE = 0.1
const CRITICAL_SHARE = 0.02

/**
 * Space kept free for essential writes: reports of money from networks, and the files in which PostgreSQL writes ahead,
 * 16 MB each. Without room for these PostgreSQL ends, and nothing can be read either.
 */
export const RESERVED_BYTES = 64 * 1_024 * 1_024

const INTERVAL_MS = 1_000

export function watchDisk(folder: string, read: ReadDisk = statfs): DiskWatch {
  let last: DiskSpace | null = null
  let timer: NodeJS.Timeout | undefined
  const check = async () => {
    last = await readSpace(folder, read)
    return last
  }
  return {
    state: () => last,
    look: check,
    start(onChange) {
      let level: DiskLevel = 'enough'
      const compare = async () => {
        const space = await check()
        if (!space || (space.level === level && level !== 'full')) return
        level = space.level
        onChange(space)
      }
      void compare()
      timer = setInterval(compare, INTERVAL_MS).unref()
    },
    stop: () => clearInterval(timer),
  }
}

/** Computes the free space in numbers for people. */
export function measureSpace({ free_bytes, total_bytes }: DiskSpace): { megabytes: number; percent: string } {
  return { megabytes: Math.floor(free_bytes / 1_048_576), percent: ((100 * free_bytes) / total_bytes).toFixed(1) }
}

/** Describes low space for people in a sentence, or null when there is enough room. */
export function describeSpace(space: DiskSpace): string | null {
  const { folder, level } = space
  if (level === 'enough') return null
  const { megabytes, percent } = measureSpace(space)
  const left = `The disk of ${folder} has ${megabytes} MB (${percent} %) left.`
  return level === 'full' ? `${left} Nothing is stored until there is more space.` : left
}

/** The disk of a folder now; null for a folder that does not exist and where the system gives no answer. */
export async function readSpace(folder: string, read: ReadDisk = statfs): Promise<DiskSpace | null> {
  // A disk that does not answer is not full. PostgreSQL will report its own failures.
  const disk = await read(folder).catch(() => null)
  if (disk === null || disk.blocks === 0) return null
  const free_bytes = disk.bavail * disk.bsize
  const total_bytes = disk.blocks * disk.bsize
  return { folder, free_bytes, total_bytes, level: levelOf(free_bytes, total_bytes) }
}

function levelOf(free_bytes: number, total_bytes: number): DiskLevel {
  if (free_bytes < RESERVED_BYTES) return 'full'
  const share = free_bytes / total_bytes
  return share < CRITICAL_SHARE ? 'critical' : share < LOW_SHARE ? 'low' : 'enough'
}
