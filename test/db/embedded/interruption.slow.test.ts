import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProgramRunner, type ProgramRunner } from '../../cli/program-runner.ts'
import { eventually } from '../../test-app.ts'

/*
 * A person ends a command with Ctrl-C, or the end of a pipe does. No copy of the data and no PostgreSQL stays behind.
 */

const TIMEOUT_MS = 240_000
const folder = mkdtempSync(join(tmpdir(), 'kusanya-interrupted-'))
const backup = join(folder, 'monday')
let runner: ProgramRunner

const launch = (...args: string[]) => runner.launch([process.execPath, 'src/cli/index.ts', ...args])
const foldersWith = (start: string) => readdirSync(folder).filter((name) => name.startsWith(start))

beforeAll(async () => {
  runner = await openProgramRunner()
  const migrated = launch('migrate')
  await migrated.ended
  expect(migrated.errors()).toBe('')
}, TIMEOUT_MS)
afterAll(async () => {
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a command that is interrupted', { timeout: TIMEOUT_MS }, () => {
  it('leaves no unfinished backup, and no PostgreSQL without a user', async () => {
    const command = launch('backup', backup)
    const unfinished = await eventually('a part of the backup', async () => foldersWith('monday-unfinished-')[0])
    expect(existsSync(join(folder, unfinished))).toBe(true)
    command.child.kill('SIGINT')
    await command.ended
    expect([command.child.signalCode, command.errors()]).toEqual(['SIGINT', ''])
    expect(readdirSync(folder)).toEqual([])
    expect(existsSync(runner.postmasterFile)).toBe(false)
  })

  it('leaves no copy of a backup that it checks, and no PostgreSQL on the copy', async () => {
    await launch('backup', backup).ended
    const command = launch('restore', backup, '--check')
    // A PostgreSQL that root starts may have its folder elsewhere.
    const copy = await eventually('the PostgreSQL of the copy', async () => {
      const scratch = foldersWith('monday-check-')[0]
      if (scratch === undefined) return undefined
      const pointer = join(folder, scratch, 'postgresql-location')
      const location = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(folder, scratch, 'postgresql')
      const cluster = existsSync(location) && readdirSync(location).find((name) => name.startsWith('unfinished-'))
      const pid_file = cluster && join(location, cluster, 'postmaster.pid')
      return pid_file && existsSync(pid_file)
        ? { location, pid: Number.parseInt(readFileSync(pid_file, 'utf8'), 10) }
        : undefined
    })
    command.child.kill('SIGTERM')
    await command.ended
    expect([command.child.signalCode, command.errors()]).toEqual(['SIGTERM', ''])
    expect(readdirSync(folder)).toEqual([basename(backup)])
    expect(existsSync(copy.location)).toBe(false)
    expect(() => process.kill(copy.pid, 0)).toThrow()
  })

  it('leaves no database behind when its reader has closed the pipe', async () => {
    const command = launch('describe', 'settings')
    const list = launch('organizations', 'list')
    for (const one of [command, list]) one.child.stdout!.destroy()
    await Promise.all([command.ended, list.ended])
    expect([command.child.exitCode, list.child.exitCode]).toEqual([0, 0])
    expect(existsSync(runner.postmasterFile)).toBe(false)
  })
})
