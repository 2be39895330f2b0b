import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { killProgram, openProgramRunner, type ProgramRunner, SERVE_COMMAND } from '../cli/program-runner.ts'
import { openShell } from '../cli/shell.ts'
import { type Answer, askEverything, openQuestions } from './answers.ts'
import { openClients } from './clients.ts'
import { countRows, databaseUrlIn, dumpDatabase, openStatements } from './database.ts'
import { FILES, FIXTURES, type Release } from './fixtures.ts'
import { openOutside, settingsFor } from './outside.ts'
import {
  buy,
  collect,
  expectSuccess,
  leaveForJobs,
  leaveOpen,
  letTimePass,
  type People,
  send,
  setUpOrganization,
} from './scenario.ts'

/*
 * Make the fixture of the checked-out version: npm run release:fixture. It uses the service as its users do, and kills
 * it while work is open. Then it writes the database and the answers of the service to files (CONTRIBUTING.md, "A
 * release").
 */

const ROOT = join(import.meta.dirname, '../..')
/** So late that the clock of the sandbox is still ahead of the real one when the fixture is restored years from now. */
const BEGINNING = '2040-01-02 09:00'

const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const outside = await openOutside()
const premises = await openProgramRunner()
try {
  await make()
} finally {
  await premises.close()
  await outside.close()
}

async function make(): Promise<void> {
  const settings = settingsFor(outside)
  const environment = { ...settings, DATA_DIR: premises.data_dir }
  const shell = openShell(environment)
  await shell(['migrate'])
  await shell(['clock', 'advance', BEGINNING])

  const service = await premises.start({ settings })
  const files = await readFiles(premises)
  const clients = openClients(service.url, files['demo-api-key']!, environment, outside)
  const people = await setUpOrganization(clients, service.url, files['demo-password']!)
  print('The organization is set up.')
  await collect(clients)
  print('Money is collected.')
  await send(clients)
  const references = await buy(clients)
  const { plan_request } = await letTimePass(clients)
  print('Two days have passed.')
  const begun = await leaveOpen(clients, people, service.url)
  await killProgram(service, 'SIGKILL')
  print('The service was killed while work is open.')

  const key = files['demo-api-key']!
  const reading = await openReading(environment, people, key)
  const left = await leaveForJobs(reading.clients, reading.service.url)
  references.push(begun.pending_bill)
  const answers = await askEverything(reading.ask, references)
  print(`${answers.length} questions are answered.`)

  const { dump, counts, copy } = await dumpAndCopy()
  const copied = await openReading({ ...environment, DATABASE_URL: copy }, people, key)
  checkAnswers(answers, await askEverything(copied.ask, references))
  await killProgram(copied.service, 'SIGTERM')
  await killProgram(reading.service, 'SIGTERM')
  const open = { ...begun, ...left, plan_request }
  await write({ version, outside_url: outside.url, files, people, open, references, counts }, dump, answers)
}

/** Start the service without jobs, so that nothing changes while it answers, and sign the owner in. */
async function openReading(environment: Record<string, string>, people: People, key: string) {
  const service = await premises.start({ command: [...SERVE_COMMAND, '--no-jobs'], settings: environment })
  const clients = openClients(service.url, key, environment, outside)
  await expectSuccess(clients.browser.signIn(people.owner.email, people.owner.password))
  return { service, clients, ask: openQuestions(clients, service.url, people, key) }
}

/** Dump the database and restore the dump into another one, `copy`, on the same server. */
async function dumpAndCopy(): Promise<{ dump: string; counts: Record<string, number>; copy: string }> {
  const url = await databaseUrlIn(premises.data_dir)
  const copy = url.replace(/kusanya$/, 'copy')
  const db = openStatements(url)
  const dump = await dumpDatabase(db, join(ROOT, 'migrations'))
  const counts = await countRows(db)
  await db.run('create database copy')
  await db.close()
  await checkRestore(dump, copy)
  return { dump, counts, copy }
}

/**
 * Throw when the copy answers a question in another way, for example because rows that rank equal come in another
 * order.
 */
function checkAnswers(answers: readonly Answer[], copied: readonly Answer[]): void {
  const differences = answers.flatMap((answer, at) => {
    const place = findDifference(answer, copied[at])
    return place === undefined ? [] : [`${answer.asker} ${answer.question}: ${place}`]
  })
  if (differences.length > 0) throw new Error(`The copy answers in another way:\n${differences.join('\n')}`)
}

/** The first place where two values of JSON differ, with what is there; undefined for none. */
function findDifference(one: unknown, other: unknown, place = ''): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined
  if (!isObject(one) || !isObject(other)) return `${place} is ${JSON.stringify(one)} and ${JSON.stringify(other)}`
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = findDifference(one[name], other[name], `${place}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Read the secrets that a data folder keeps beside the database. */
async function readFiles({ data_dir }: ProgramRunner): Promise<Record<string, string>> {
  const names = ['secret-key', 'demo-api-key', 'demo-password', 'postgresql/password']
  const texts = await Promise.all(names.map((name) => readFile(join(data_dir, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!.trim()]))
}

/** Restore a dump, dump that database in turn and throw when the two differ. Only the lines about the clock may. */
async function checkRestore(dump: string, url: string): Promise<void> {
  const copy = openStatements(url)
  await copy.run(dump)
  const again = await dumpDatabase(copy, join(ROOT, 'migrations'))
  await copy.close()
  const linesOf = (text: string) => text.split('\n').filter((line) => !/clock_offset_ms|timestamptz '2/.test(line))
  const before = linesOf(dump)
  const other = linesOf(again).find((line, index) => line !== before[index])
  if (other !== undefined) throw new Error(`The restored database has another row: ${other}`)
}

async function write(release: Release, dump: string, answers: object): Promise<void> {
  const folder = join(FIXTURES, version)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, FILES.release), `${JSON.stringify(release, null, 2)}\n`)
  await writeFile(join(folder, FILES.dump), gzipSync(dump, { level: 9 }))
  await writeFile(join(folder, FILES.answers), gzipSync(JSON.stringify(answers), { level: 9 }))
  print(`The fixture is in ${folder}.`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
