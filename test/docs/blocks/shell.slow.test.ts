import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingNames } from '../../../src/config.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { find, run, titleOf } from '../../packages/clients/languages.ts'
import { createTestSimulator, openDatabase } from '../../simulator/simulator-test.ts'
import { findBlocks, languageOf, placeOf } from './pages.ts'
import { faultOfCommand } from './parsed-command.ts'
import { NOT_RUN_PROGRAMS, OTHER_VARIABLES } from './rules.ts'
import { commandsOf, fillIn, linesOf, type ShellCommand } from './shell-lines.ts'

/*
 * Every line of every shell block. bash reads it, curl calls a real service, and the program's own table of commands
 * reads `npx kusanya`. So no page names a missing command or option. Other programs need a reason in rules.ts.
 */

const bash = find(['bash'], ['--version'], 'there is no bash')
const curl = find(['curl'], ['--version'], 'there is no curl')

const blocks = findBlocks().filter((block) => languageOf(block) === 'sh')
const lines = blocks.flatMap((block) => linesOf(block.text).map((line) => ({ place: placeOf(block), line })))
const pages = [...new Set(blocks.map(({ page }) => page))]
const folder = mkdtempSync(join(tmpdir(), 'kusanya-shell-blocks-'))

/** The request that the pages read, give back and make a receipt of. */
const PAID_REQUEST = 17

let service: TestService
let simulator: { url: string; close(): Promise<void> }
let values: { url: string; key: string; id: number }
beforeAll(async () => {
  service = await openTestService()
  simulator = await openSimulator()
  values = { url: service.url, key: service.key, id: PAID_REQUEST }
  for (let made = 0; made < PAID_REQUEST; ) made = (await service.createRequest()).id
  await service.advanceUntilStatus(PAID_REQUEST, 'successful')
})
afterAll(async () => {
  await simulator?.close()
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The networks of `npx kusanya networks simulate`, with its controls. */
async function openSimulator() {
  const { db, drop } = await openDatabase()
  const networks = createTestSimulator(db, { controls: {} })
  const { origin } = new URL(await networks.listen())
  return { url: origin, close: () => networks.stop().then(drop) }
}

describe('the shell lines of the documentation', () => {
  it.skipIf(bash.skipped)(titleOf('can be read by bash', bash), async () => {
    const script = lines.map(({ line }) => fillIn(line, values)).join('\n')
    await run(bash.path!, ['-n'], { input: script })
  })

  it.each(pages)('of %s call commands and options that exist, or a program with a reason', async (page) => {
    const faults = lines
      .filter(({ place }) => place.startsWith(`${page}:`))
      .flatMap(({ place, line }) =>
        commandsOf(fillIn(line, values)).map(async (command) => [place, line, await faultOf(command)]),
      )
    expect((await Promise.all(faults)).filter(([, , fault]) => fault !== undefined)).toEqual([])
  })

  it('use every program that has a reason, so that none is left over', () => {
    const used = lines.flatMap(({ line }) => commandsOf(fillIn(line, values)).map(({ program }) => program))
    expect(Object.keys(NOT_RUN_PROGRAMS).filter((program) => !used.includes(program))).toEqual([])
  })

  const calls = lines.filter(({ line }) => line.startsWith('curl '))
  it.skipIf(curl.skipped).each(calls)(titleOf('$place: $line', curl), async ({ line }) => {
    const command = fillIn(line, values).replaceAll('http://127.0.0.1:4400', simulator.url)
    await runCurl(command)
  })
})

async function faultOf({ variables, program, args }: ShellCommand): Promise<string | undefined> {
  const unknown = variables.filter((name) => !settingNames.includes(name) && !OTHER_VARIABLES.includes(name))
  if (unknown.length > 0) return `${unknown.join(', ')} is no setting`
  if (program === undefined || program === 'curl') return undefined
  if (program === 'npx' && args[0] === 'kusanya') return faultOfCommand(args.slice(1))
  return program in NOT_RUN_PROGRAMS ? undefined : `${program} is neither run nor has a reason`
}

/** Call as the page does. A stream of events does not end by itself: its time is over (28). */
async function runCurl(command: string): Promise<void> {
  const is_stream = command.includes('/events/stream')
  const limited = command.replace(
    /^curl /,
    `curl --noproxy '*' --silent --show-error --fail-with-body --max-time ${is_stream ? 2 : 30} `,
  )
  const script = is_stream ? `${limited}; [ $? = 28 ]` : limited
  await run('bash', ['-c', script], { cwd: folder })
}

describe('the check of shell lines', () => {
  it.each([
    ['npx kusanya contact list', "unknown command 'contact'"],
    ['npx kusanya contacts list --nothing', "unknown option '--nothing'"],
    ['npx kusanya contacts show', "missing required argument 'id'"],
    ['npx kusanya keys list && wget x', 'wget is neither run nor has a reason'],
    ['PROT=8080 npm start', 'PROT is no setting'],
  ])('finds what is wrong in %s', async (line, fault) => {
    const faults = await Promise.all(commandsOf(line).map(faultOf))
    expect(faults.at(-1)).toContain(fault)
  })
})
