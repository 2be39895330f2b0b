import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { findDatabaseFolder, SYSTEM_FOLDER } from '../../../src/db/embedded/folder.ts'
import { changeOwner, findServerUser } from '../../../src/db/embedded/user.ts'

// A server that is made, started and stopped takes a slow machine long.
vi.setConfig({ testTimeout: 150_000 })

let folder = ''
const locations = new Set<string>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-home-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
  for (const location of locations) if (location.startsWith(SYSTEM_FOLDER)) rmSync(location, { recursive: true })
  locations.clear()
})

describe('the folder of an embedded database', () => {
  it('is the folder postgresql in the data folder', () => {
    chmodSync(folder, 0o755)
    const data_dir = join(folder, 'data')
    const home = findDatabaseFolder(data_dir)
    expect(home).toMatchObject({ location: join(data_dir, 'postgresql'), notice: null })
    expect(findDatabaseFolder(data_dir)).toEqual(home)
  })
})

describe.runIf(process.getuid?.() === 0)('the folder of a database that root starts', () => {
  it('is a system folder if the user of the server cannot reach the data folder', async () => {
    const data_dir = join(folder, 'data')
    const { name } = findServerUser()
    const server = await startEmbedded({ data_dir })
    locations.add(server.location)
    await server.stop()
    expect(server.location).toMatch(/^\/var\/lib\/kusanya\/[0-9a-f]{12}$/)
    expect(server.notice).toBe(`The database lives in ${server.location}: user ${name} may not enter ${data_dir}.`)
    expect(existsSync(join(server.location, 'cluster/PG_VERSION'))).toBe(true)
    expect(existsSync(join(data_dir, 'postgresql'))).toBe(false)
  })

  it('stays where it is when the data folder is opened later, or moved', () => {
    const { location } = findHomeOf('data')
    chmodSync(folder, 0o755)
    expect(findHomeOf('data').location).toBe(location)
    renameSync(join(folder, 'data'), join(folder, 'moved'))
    expect(findHomeOf('moved').location).toBe(location)
    expect(readFileSync(join(location, 'belongs-to'), 'utf8').trim()).toBe(join(folder, 'moved'))
  })

  it('is not shared with a copy of the data folder', () => {
    const { location } = findHomeOf('data')
    cpSync(join(folder, 'data'), join(folder, 'copy'), { recursive: true })
    expect(findHomeOf('copy').location).not.toBe(location)
    expect(findHomeOf('data').location).toBe(location)
  })

  it('causes an error if it was removed, and is not created again', () => {
    const { location } = findHomeOf('data')
    rmSync(location, { recursive: true })
    locations.delete(location)
    expect(() => findHomeOf('data')).toThrow(`The database is gone from ${location}.`)
  })

  it('belongs to the ordinary user that created it', () => {
    chmodSync(folder, 0o755)
    const cluster = join(folder, 'data/postgresql/cluster')
    const other_user = { name: '12345', uid: 12345, gid: 12345 }
    mkdirSync(cluster, { recursive: true })
    changeOwner(other_user, cluster)
    expect(findHomeOf('data').user).toEqual(other_user)
  })

  it('is never replaced by an empty one if its user can no longer reach it', () => {
    mkdirSync(join(folder, 'data/postgresql/cluster'), { recursive: true })
    expect(() => findHomeOf('data')).toThrow(/The database in .* runs as user \w+, who may not enter/)
  })
})

function findHomeOf(name: string) {
  const home = findDatabaseFolder(join(folder, name))
  locations.add(home.location)
  return home
}
