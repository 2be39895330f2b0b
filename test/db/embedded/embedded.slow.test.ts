import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect } from '../../../src/db/client.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { commandLine, identifyProcess, isRunning } from '../../../src/db/embedded/processes.ts'

// Servers that are made, started and stopped take a slow machine long.
vi.setConfig({ testTimeout: 150_000, hookTimeout: 150_000 })

const SOURCE = new URL('../../../src/db/embedded/embedded.ts', import.meta.url).href

/** A program of its own that starts the server, says its URL, ignores Ctrl-C and stops on a line of input. */
const PROGRAM = `
  import { startEmbedded } from ${JSON.stringify(SOURCE)}
  process.on('SIGINT', () => {})
  const server = await startEmbedded({ data_dir: process.argv[1] })
  console.log(server.url)
  process.stdin.once('data', async () => { await server.stop(); process.exit(0) })
`

/** The same, cut off in the midst of its first start: while there is no more than the beginning of a database. */
const SHORT_LIVED_PROGRAM = `
  import { existsSync, readdirSync, statSync } from 'node:fs'
  import { join } from 'node:path'
  const location = join(process.argv[1], 'postgresql')
  const isBegun = (name) => name.startsWith('unfinished-') && Date.now() - statSync(join(location, name)).birthtimeMs > 100
  setInterval(() => {
    if (existsSync(location) && readdirSync(location).some(isBegun)) process.kill(process.pid, 'SIGKILL')
  }, 5)
  ${PROGRAM}
`

let template = ''
let data_dirs: string[] = []
let programs: ChildProcess[] = []

beforeAll(async () => {
  template = emptyFolder()
  const server = await startEmbedded({ data_dir: template })
  await query(server.url, 'create table payment (id int)')
  await server.stop()
  data_dirs = []
})

afterAll(() => rmSync(template, { recursive: true }))

afterEach(async () => {
  for (const program of programs) program.kill('SIGKILL')
  for (const data_dir of data_dirs) {
    const pid = postmasterOf(data_dir)
    if (pid && commandLine(pid).includes(data_dir)) await killAndWait(pid)
    // Remaining processes of a killed server end by themselves, and may write until then.
    rmSync(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  data_dirs = []
  programs = []
})

describe('an embedded PostgreSQL', () => {
  it('starts on an empty folder and keeps committed data over stop and start', async () => {
    const data_dir = emptyFolder()
    const first = await startEmbedded({ data_dir })
    await query(first.url, 'create table payment (id int)')
    await query(first.url, 'insert into payment values (7)')
    await first.stop()
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')

    const second = await startEmbedded({ data_dir })
    expect(await query(second.url, 'select id from payment')).toEqual([{ id: 7 }])
    await second.stop()
  })

  it('is safe in a power cut, and uses UTF-8 and UTC', async () => {
    const server = await startEmbedded({ data_dir: usedFolder(), settings: { work_mem: '5MB' } })
    const [settings] = await query(
      server.url,
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
              current_setting('synchronous_commit') as synchronous_commit, current_setting('data_checksums') as checksums,
              current_setting('server_encoding') as encoding, current_setting('timezone') as timezone,
              current_setting('listen_addresses') as addresses, current_setting('work_mem') as work_mem,
              'É' ilike 'é' as knows_letters`,
    )
    expect(settings).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      checksums: 'on',
      encoding: 'UTF8',
      timezone: 'UTC',
      addresses: '127.0.0.1',
      work_mem: '5MB',
      knows_letters: true,
    })
    await server.stop()
  })

  it('refuses connections without the password, which only its owner can read', async () => {
    const server = await startEmbedded({ data_dir: usedFolder() })
    const other = new URL(server.url)
    other.password = 'guess'
    await expect(query(other.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(statSync(join(server.location, 'password')).mode & 0o077).toBe(0)
    await server.stop()
  })

  it('restarts at the same address each time it is killed while in use', async () => {
    const data_dir = usedFolder()
    let restarts = 0
    const server = await startEmbedded({
      data_dir,
      onRestart: (error) => {
        expect(error).toBeUndefined()
        restarts += 1
      },
    })
    for (const id of [1, 2]) {
      await query(server.url, `insert into payment values (${id})`)
      await killAndWait(postmasterOf(data_dir)!)
      while (restarts < id) await sleep(20)
      expect(await query(server.url, 'select max(id) from payment')).toEqual([{ max: id }])
    }
    await server.stop()
    await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  it('shows the end of the log if the server does not start', async () => {
    const start = startEmbedded({ data_dir: usedFolder(), settings: { shared_buffers: 'plenty' } })
    await expect(start).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"')
  })
})

describe('after a crash', () => {
  it('takes over the server that a killed process left running, and stops it', async () => {
    const data_dir = usedFolder()
    const killed = await startProgram(data_dir)
    const pid = postmasterOf(data_dir)
    await killAndWait(killed.program.pid!)

    const heir = await startEmbedded({ data_dir })
    expect(heir.url).toBe(killed.url)
    expect(postmasterOf(data_dir)).toBe(pid)
    await heir.stop()
    expect(postmasterOf(data_dir)).toBeNull()
  })

  it('restores every committed row if server and program were killed', async () => {
    const data_dir = usedFolder()
    const killed = await startProgram(data_dir)
    await query(killed.url, 'insert into payment select generate_series(1, 1000)')
    process.kill(postmasterOf(data_dir)!, 'SIGKILL')
    killed.program.kill('SIGKILL')

    const next = await startEmbedded({ data_dir })
    expect(await query(next.url, 'select count(*)::int from payment')).toEqual([{ count: 1000 }])
    await next.stop()
  })

  it('starts even if another process now has the pid of the dead server', async () => {
    const data_dir = usedFolder()
    const killed = await startProgram(data_dir)
    const pid = postmasterOf(data_dir)!
    killed.program.kill('SIGKILL')
    await killAndWait(pid)
    const file = join(data_dir, 'postgresql/cluster/postmaster.pid')
    writeFileSync(file, readFileSync(file, 'utf8').replace(String(pid), String(process.pid)))

    const next = await startEmbedded({ data_dir })
    expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await next.stop()
  })

  it('starts again if the first start was killed before it was complete', async () => {
    const data_dir = emptyFolder()
    await once(spawnProgram(data_dir, SHORT_LIVED_PROGRAM), 'exit')
    const left = readdirSync(join(data_dir, 'postgresql'))
    expect(left.some((name) => name.startsWith('unfinished-'))).toBe(true)
    expect(left).not.toContain('cluster')

    const next = await startEmbedded({ data_dir })
    expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await next.stop()
  })

  it('does not use the server of another folder that this one was copied from', async () => {
    const original_dir = usedFolder()
    const copy_dir = emptyFolder()
    const original = await startEmbedded({ data_dir: original_dir })
    await query(original.url, 'checkpoint')
    execFileSync('cp', ['-a', join(original_dir, 'postgresql'), copy_dir])

    const copy = await startEmbedded({ data_dir: copy_dir })
    expect(copy.url).not.toBe(original.url)
    await copy.stop()
    expect(await query(original.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await original.stop()
  })
})

describe('with several processes', () => {
  it('gives all of them one server if they start at the same time', async () => {
    const data_dir = emptyFolder()
    const started = await Promise.all([startProgram(data_dir), startProgram(data_dir), startEmbedded({ data_dir })])
    expect(new Set(started.map(({ url }) => url)).size).toBe(1)
    expect(await query(started[0].url, 'select 1 as one')).toEqual([{ one: 1 }])
    // While it is in use it would be started again when it is killed below, in a folder that is being removed.
    await started[2].stop()
  })

  it('runs until the last of them stops it', async () => {
    const data_dir = usedFolder()
    const first = await startEmbedded({ data_dir })
    const second = await startProgram(data_dir)
    const third = await startProgram(data_dir)
    await stopProgram(third.program)
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.stop()
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await stopProgram(second.program)
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  it('survives Ctrl-C in the terminal until the program itself has stopped it', async () => {
    const data_dir = usedFolder()
    const { program, url } = await startProgram(data_dir)
    process.kill(-program.pid!, 'SIGINT')
    await sleep(200)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await stopProgram(program)
    expect(postmasterOf(data_dir)).toBeNull()
  })
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-embedded-'))
  // Open, so that for root too the data lies in it.
  chmodSync(folder, 0o755)
  data_dirs.push(folder)
  return folder
}

/** A folder in which a server ran before and left the table `payment`; copied, since making one takes a while. */
function usedFolder(): string {
  const folder = emptyFolder()
  execFileSync('cp', ['-a', join(template, 'postgresql'), folder])
  return folder
}

/** As a terminal does, each program gets a process group of its own. */
function spawnProgram(data_dir: string, text = PROGRAM): ChildProcess {
  const program = spawn(process.execPath, ['--input-type=module', '-e', text, data_dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  programs.push(program)
  return program
}

async function startProgram(data_dir: string): Promise<{ program: ChildProcess; url: string }> {
  const program = spawnProgram(data_dir)
  const [url] = await once(createInterface({ input: program.stdout! }), 'line')
  return { program, url }
}

async function stopProgram(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit')
  program.stdin?.write('stop\n')
  await ended
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const db = connect(url, { connections: 1, application: 'tests' })
  try {
    return [...(await db.unsafe(statement))]
  } finally {
    await db.end()
  }
}

function postmasterOf(data_dir: string): number | null {
  const file = join(data_dir, 'postgresql/cluster/postmaster.pid')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null
}

async function killAndWait(pid: number): Promise<void> {
  const identity = identifyProcess(pid)
  if (identity === null) return
  process.kill(pid, 'SIGKILL')
  while (isRunning(identity)) await sleep(10)
}
