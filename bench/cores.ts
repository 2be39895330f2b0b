import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** True if processes can be kept on some cores here: with `taskset` of util-linux, and two cores or more. */
export const can_pin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined

/** Keep a process with all its threads and children on these cores, such as `0` or `0-3`. Later children inherit it. */
export function pinProcess(pid: number | string, cores: string): void {
  const { status, stderr } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)])
  // A process may have ended since it was listed.
  if (status !== 0 && isRunning(pid)) throw new Error(`Process ${pid} cannot be kept on ${cores}: ${stderr}`)
  for (const child of readChildren(pid)) pinProcess(child, cores)
}

function readChildren(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  } catch {
    return []
  }
}

function isRunning(pid: number | string): boolean {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch {
    return false
  }
}
