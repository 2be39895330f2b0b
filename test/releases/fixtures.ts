import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Answer } from './answers.ts'
import type { OpenWork, People } from './scenario.ts'

/** Folder with a subfolder for each released version. */
export const FIXTURES = join(import.meta.dirname, '../fixtures/releases')

/** The files of each folder. */
export const FILES = { release: 'release.json', dump: 'dump.sql.gz', answers: 'answers.json.gz' }

/** Files that a version left behind, besides its database. */
export interface Release {
  version: string
  /** Address of the programs outside. */
  outside_url: string
  /** The files of the data folder that are not the database's own, by path. */
  files: Record<string, string>
  people: People
  open: OpenWork
  /** The references of the bills. */
  references: string[]
  /** Number of rows of each table. */
  counts: Record<string, number>
}

/** The versions of which there is a fixture. */
export function listReleases(): string[] {
  return readdirSync(FIXTURES).sort()
}

/** Read the fixture of a version; the programs outside are at `outside_url` now, or where they were. */
export function readRelease(version: string, outside_url?: string) {
  const folder = join(FIXTURES, version)
  const release = JSON.parse(readFileSync(join(folder, FILES.release), 'utf8')) as Release
  const [before, now] = [release.outside_url, outside_url ?? release.outside_url].map((url) => new URL(url).host) as [
    string,
    string,
  ]
  const unpack = (name: string) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .replaceAll(before, now)
  return { ...release, dump: unpack(FILES.dump), answers: JSON.parse(unpack(FILES.answers)) as Answer[] }
}
