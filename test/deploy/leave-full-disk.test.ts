import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEPLOY } from './programs.ts'

const SCRIPT = join(DEPLOY, 'patroni/leave-full-disk.sh')
/** More than any disk has. */
const TOO_MUCH_MB = '1000000000000'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-disk-'))
  // They stand for the programs of the node: one that writes down how it was called and refuses, as on a replica, and a wait.
  install('patronictl', `echo "$@" >> "${join(folder, 'calls')}"; exit 1`)
  install('sleep', `echo >> "${join(folder, 'looks')}"; exec /bin/sleep 0.05`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function install(name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, name), 0o755)
}

const lines = (name: string) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1) : []

/** Run the script until it has looked a few times more, and return how patronictl was called. */
async function callsWith(minimum_mb: string): Promise<string[]> {
  rmSync(join(folder, 'calls'), { force: true })
  const before = lines('looks').length
  const script = spawn(SCRIPT, ['/etc/patroni.yml', 'node7', folder, minimum_mb], {
    env: { PATH: `${folder}:${process.env.PATH}` },
    stdio: 'ignore',
  })
  try {
    await vi.waitFor(() => expect(lines('looks').length).toBeGreaterThan(before + 3), 120_000)
  } finally {
    script.kill('SIGKILL')
    await once(script, 'exit')
  }
  return lines('calls')
}

describe.skipIf(process.platform !== 'linux')('deploy/patroni/leave-full-disk.sh', () => {
  it('gives the place of the primary away while too little is free, and goes on when it is refused', async () => {
    const calls = await callsWith(TOO_MUCH_MB)
    expect(calls.length).toBeGreaterThan(1)
    expect(calls[0]).toBe('--config-file /etc/patroni.yml switchover --leader node7 --force')
  })

  it('does nothing while enough is free', async () => {
    expect(await callsWith('0')).toEqual([])
  })
})
