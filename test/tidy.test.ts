import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockFaults } from './locking-reads.ts'
import { measure } from './measures.ts'
import { replicaFaults } from './replica-reads.ts'

/*
 * The rules of ARCHITECTURE.md that a machine can watch. Each failure names the place and says what to do about it.
 */

const ROOT = join(import.meta.dirname, '..')
const MAX_STATEMENTS = 300
const MAX_FUNCTION_STATEMENTS = 40

/** Rooms that a door for requests may import. */
const HTTP_DOOR = ['app', 'http', 'connections', 'drivers', 'networks', 'billers', 'senders', 'core', 'db', 'lib']

/** Rooms that each room of src may import, besides itself. The files app.ts and config.ts are rooms of their own. */
const ARROWS: Record<string, readonly string[]> = {
  lib: [],
  db: ['lib'],
  core: ['db', 'lib'],
  drivers: ['lib'],
  networks: ['drivers', 'lib'],
  connections: ['drivers', 'networks', 'billers', 'senders', 'core', 'db', 'lib'],
  billers: ['drivers', 'lib'],
  senders: ['drivers', 'lib'],
  simulator: ['db', 'lib'],
  http: ['core', 'db', 'lib'],
  actions: ['app', 'http', 'connections', 'core', 'db', 'lib'],
  config: ['lib'],
  app: ['config', 'http', 'connections', 'drivers', 'networks', 'billers', 'senders', 'simulator', 'core', 'db', 'lib'],
  api: [...HTTP_DOOR, 'actions'],
  console: [...HTTP_DOOR, 'actions'],
  pay: [...HTTP_DOOR, 'actions'],
  jobs: ['app', 'connections', 'drivers', 'networks', 'billers', 'senders', 'core', 'db', 'lib'],
  cli: [...HTTP_DOOR, 'config', 'actions', 'jobs', 'simulator'],
}

/** The rooms of core from the top floor down. A room may import from floors below and from core's top level. */
const CORE_FLOORS: readonly (readonly string[])[] = [
  ['approvals/changes', 'manual-settlements', 'operations', 'follow-ups', 'archive', 'search', 'figures', 'books'],
  ['matching', 'request-batches', 'settlements'],
  ['invoices'],
  ['payments', 'bills', 'checkout', 'receipts'],
  ['approvals'],
  ['spending'],
  ['batches'],
  ['collections'],
  ['allocations'],
  ['contacts'],
  ['sms'],
  ['events'],
  ['ledger'],
  ['connections', 'typed-search'],
  ['cells', 'documents', 'files', 'numbers'],
  ['access'],
]

/** A folder with more files than this hides what is in it. */
const MAX_FOLDER_FILES = 25

/** Rooms that may begin transactions: the runner, doors, the simulated outside, db, and the tools of connections. */
const MAY_BEGIN = ['actions', 'api', 'console', 'jobs', 'cli', 'simulator', 'connections', 'db']

interface Source {
  /** Relative to the root, with forward slashes. */
  path: string
  room: string
  text: string
  lines: string[]
  imports: { path: string; types_only: boolean }[]
}

const sources = find('src/**/*.ts').map(readSource)
const pages = find('web/**/*.{ts,tsx}').map(readSource)
const everything = [
  ...sources,
  ...pages,
  ...find('{test,bench,examples,scripts,site,packages}/**/*.{ts,tsx}').map(readSource),
].filter(
  ({ path }) => path !== 'packages/client/src/openapi.ts', // written by a generator
)
const measured = everything.map(({ path, text }) => ({ path, ...measure(path, text) }))

describe('the house is tidy:', () => {
  it('every arrow between rooms is one that ARCHITECTURE.md allows', () => {
    const wrong = sources.flatMap((source) =>
      source.imports.flatMap((to) => arrowFault(source.path, to.path) ?? coreArrowFault(source.path, to.path) ?? []),
    )
    expect(wrong).toEqual([])
  })

  it('doors are handed the App; only cli and the tests build one', () => {
    const builders = sources.filter(
      ({ room, imports }) => room !== 'cli' && imports.some((to) => to.path === 'src/app.ts' && !to.types_only),
    )
    expect(builders.map(({ path }) => `${path} must take the App as a parameter: "import type" from app.ts.`)).toEqual(
      [],
    )
  })

  it('no file imports itself through others, types included', () => {
    const graph = new Map([...sources, ...pages].map(({ path, imports }) => [path, imports.map((to) => to.path)]))
    expect(circlesOf(graph).map((circle) => `Break this circle of imports: ${circle.join(' → ')}`)).toEqual([])
  })

  it(`no folder has more than ${MAX_FOLDER_FILES} files`, () => {
    const sizes = Map.groupBy(everything, ({ path }) => dirname(path))
    const large = [...sizes].filter(([, files]) => files.length > MAX_FOLDER_FILES)
    expect(
      large.map(([folder, files]) => `${folder} has ${files.length} files: give a part of them a folder.`),
    ).toEqual([])
  })

  it(`no file has more than ${MAX_STATEMENTS} statements`, () => {
    const long = measured.filter(({ statements }) => statements > MAX_STATEMENTS)
    expect(
      long.map(({ path, statements }) => `${path} has ${statements} statements: give a part of it a file and a name.`),
    ).toEqual([])
  })

  it(`no function has more than ${MAX_FUNCTION_STATEMENTS} statements of its own`, () => {
    const long = measured.flatMap(({ path, functions }) =>
      functions
        .filter(({ statements }) => statements > MAX_FUNCTION_STATEMENTS)
        .map(({ line, statements }) => `${path}:${line} has ${statements} statements: let a part be a function.`),
    )
    expect(long).toEqual([])
  })

  it('no literal packs its parts into a spread', () => {
    const packed = measured.flatMap(({ path, packed }) => packed.map((line) => `${path}:${line}`))
    expect(
      packed.map((place) => `${place}: write the parts without the spread, and let the formatter have its lines.`),
    ).toEqual([])
  })

  it('has no to-dos', () => {
    const left = everything.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        /\b(TO[D]O|FIX[M]E)\b/.test(line) ? `${path}:${index + 1}: do it, or write it down where plans are kept.` : [],
      ),
    )
    expect(left).toEqual([])
  })

  it('every room of src has its mirror in test', () => {
    const rooms = [...new Set(sources.map(({ path }) => path.split('/').slice(1, -1).join('/')))].filter(Boolean)
    const bare = rooms.filter((room) => find(`test/${room}/*.test.ts`).length === 0)
    expect(bare.map((room) => `src/${room} has no tests: begin with test/${room}/<a file of it>.test.ts.`)).toEqual([])
  })

  it('transactions begin only in doors', () => {
    const beginners = sources.filter(
      ({ room, lines }) => !MAY_BEGIN.includes(room) && lines.some((line) => /\bbegin(Frequent)?\(/.test(line)),
    )
    expect(
      beginners.map(
        ({ path }) => `${path} begins a transaction: take tx as a parameter and let the door call begin().`,
      ),
    ).toEqual([])
  })

  it('reads from replicas only to show stored data', () => {
    expect(sources.flatMap(({ path, lines }) => replicaFaults(path, lines.join('\n')))).toEqual([])
  })

  it('every log line is an event of the list in src/lib/log-events.ts', () => {
    const other_forms = /\b(log|logger)\b\??(\.(trace|debug|info|warn|error|fatal)\b|\[)|\bconsole\.\w+\(/
    const found = sources.flatMap(({ path, lines }) =>
      path === 'src/lib/log-events.ts'
        ? []
        : lines.flatMap((line, index) => (other_forms.test(line) ? `${path}:${index + 1}` : [])),
    )
    expect(found.map((place) => `${place} logs in its own words: add an event to the list and call logEvent.`)).toEqual(
      [],
    )
  })

  it('only the log creates a logger', () => {
    const creators = sources.filter(({ lines }) =>
      lines.some((line) => /^import (?!type\b).*\bfrom 'pino'$/.test(line)),
    )
    expect(creators.map(({ path }) => path)).toEqual(['src/cli/service/log.ts', 'src/lib/log-events.ts'])
  })

  it('rows are locked by their keys alone', () => {
    expect(sources.flatMap(({ path, lines }) => lockFaults(path, lines.join('\n')))).toEqual([])
  })

  it('core receives the time', () => {
    const clocks = /\bnow\(\)|\bnew Date\(\)|\bDate\.now\b|\bcurrent_timestamp\b/
    const readers = sources.flatMap(({ path, room, lines }) =>
      lines.flatMap((line, index) => (room === 'core' && clocks.test(line) ? `${path}:${index + 1}` : [])),
    )
    expect(
      readers.map((place) => `${place} reads a clock: take now as a parameter, so that tests can move it.`),
    ).toEqual([])
  })
})

describe('the watch over imports', () => {
  it('sees imports of several lines, of types, for their effects and inside of types', () => {
    const text = [
      'import {',
      '  one,',
      "} from './one.ts'",
      "import type { Two } from '../two.ts'",
      "export * from './three.ts'",
      "import './four.ts'",
      "let five: import('./five.ts').Five",
      "// import nothing from './six.ts'",
    ].join('\n')
    const seen = importsOf('src/core/zero.ts', text)
    expect(seen.filter((to) => !to.types_only).map((to) => to.path)).toEqual([
      'src/core/one.ts',
      'src/core/three.ts',
      'src/core/four.ts',
    ])
    expect(seen.filter((to) => to.types_only).map((to) => to.path)).toEqual(['src/two.ts', 'src/core/five.ts'])
  })

  it('knows a wrong arrow and a circle when it sees one', () => {
    expect(arrowFault('src/core/ledger/transfers.ts', 'src/http/errors.ts')).toContain('core may import db, lib')
    expect(arrowFault('src/attic/box.ts', 'src/lib/money.ts')).toContain('new room')
    expect(arrowFault('src/lib/money.ts', 'test/test-app.ts')).toContain('no part of src')
    expect(coreArrowFault('src/core/ledger/fees.ts', 'src/core/bills/vends/claims.ts')).toContain('floors below')
    expect(coreArrowFault('src/core/payments/create.ts', 'src/core/bills/vends/claims.ts')).toContain('floors below')
    expect(coreArrowFault('src/core/fields.ts', 'src/core/ledger/fees.ts')).toContain('no room')
    expect(coreArrowFault('src/core/attic/box.ts', 'src/core/ledger/fees.ts')).toContain('new room')
    expect(coreArrowFault('src/core/bills/vends/claims.ts', 'src/core/ledger/fees.ts')).toBeUndefined()
    expect(coreArrowFault('src/core/approvals/changes/kinds.ts', 'src/core/matching/thresholds.ts')).toBeUndefined()
    expect(coreArrowFault('src/core/approvals/waiting.ts', 'src/core/approvals/changes/kinds.ts')).toContain('floors')
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['b']],
    ])
    expect(circlesOf(graph)).toEqual([['b', 'c', 'b']])
  })
})

describe('the rule for locks', () => {
  const faultOf = (statement: string) =>
    lockFaults('src/a.ts', `const rows = await tx<Row[]>\`${statement.replaceAll('#', '$')}\``)[0]

  it('accepts keys, one or many, and claims', () => {
    const accepted = [
      'select * from plans where id = #{id} for update',
      'select #{columns(tx)}, erased from contacts\n  where id = any(#{ids.map(({ id }) => id)}::bigint[])\n  order by id for no key update',
      'with locked as (select id from webhooks where id = any(#{ids}::bigint[]) order by id for no key update) update webhooks',
      'select * from simulator_transactions where remote_id = any(#{ids}::text[]) order by remote_id for update',
      'update plans set made = 1 where id = any(array(select id from plans where due_at <= #{now} for update skip locked))',
    ]
    expect(accepted.map(faultOf)).toEqual(accepted.map(() => undefined))
  })

  it('refuses subqueries, joins, further conditions, other columns and fragments', () => {
    const refused = [
      'select * from plans where id in (select plan from occurrences where date = #{date}) order by id for update',
      'select * from plans where id = any(array(select unnest(#{ids}::bigint[]))) order by id for update',
      'select p.* from plans p join accounts a on a.id = p.account where p.id = #{id} for update of p',
      'select * from plans, unnest(#{ids}::bigint[]) as i(id) where plans.id = i.id for update',
      "select * from plans where id = any(#{ids}::bigint[]) and state = 'new' order by id for update",
      'select * from plans where id = #{id} and due_at <= #{now} for share',
      'select * from plans where due_at <= #{now} order by id for update',
      'select * from plans for key share',
      'select * from plans where organization = #{id} for update',
      '#{statement} for update',
    ]
    for (const statement of refused) expect(faultOf(statement), statement).toContain('src/a.ts:1 locks rows by more')
  })

  it('refuses many keys in no order', () => {
    expect(faultOf('select * from plans where id = any(#{ids}::bigint[]) for update')).toContain('add "order by id"')
    expect(faultOf('select * from plans where id = any(#{ids}) order by due_at for update')).toContain('in no order')
  })
})

function find(pattern: string): string[] {
  // Pages that are being built lie in a folder beside the last ones, and are gone a moment later.
  return globSync(pattern, { cwd: ROOT, exclude: (name) => /^(node_modules|dist(-.*)?)$/.test(name) })
    .map((path) => path.split(sep).join('/'))
    .sort()
}

function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const lines = text.replace(/\n$/, '').split('\n')
  return { path, room: roomOf(path), text, lines, imports: importsOf(path, text) }
}

function importsOf(path: string, text: string): Source['imports'] {
  const loaded = [
    ...text.matchAll(/^(?:import|export)(\s+type)?\s[\w\s{}*,$]*?\bfrom\s+'(\.[^']+)'/gm),
    ...text.matchAll(/^import()\s+'(\.[^']+)'/gm),
  ].map(([, type, to]) => ({ path: resolveFrom(path, to!), types_only: Boolean(type) }))
  // Inside of types, or put off until a function runs.
  const later = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, to]) => ({
    path: resolveFrom(path, to!),
    types_only: true,
  }))
  return [...loaded, ...later]
}

function resolveFrom(path: string, target: string): string {
  return relative(ROOT, join(ROOT, dirname(path), target))
    .split(sep)
    .join('/')
}

/** `src/core/ledger/transfers.ts` lies in core, `src/app.ts` is a room of its own. */
function roomOf(path: string): string {
  return path.split('/')[1]!.replace(/\.ts$/, '')
}

function arrowFault(path: string, target: string): string | undefined {
  const room = roomOf(path)
  if (!target.startsWith('src/'))
    return /^package\.json$/.test(target) ? undefined : `${path} imports ${target}, which is no part of src.`
  const to = roomOf(target)
  const puts_together = path.startsWith('src/cli/service/') && ['api', 'console', 'pay'].includes(to)
  if (to === room || puts_together || ARROWS[room]?.includes(to)) return undefined
  if (!(room in ARROWS))
    return `${path} lies in a new room: say in test/tidy.test.ts and ARCHITECTURE.md what it may import.`
  return `${path} imports ${target}. ${room} may import ${ARROWS[room]!.join(', ') || 'nothing of ours'}: move the code, or hand it in as a parameter.`
}

/** Return the fault of an import between two rooms of core, or undefined. */
function coreArrowFault(path: string, target: string): string | undefined {
  const [room, to] = [coreRoomOf(path), coreRoomOf(target)]
  if (room === undefined || to === undefined || room === to || to === '') return undefined
  if (room === '') return `${path} imports ${target}. The top level of core imports from no room: move the code.`
  const [floor, floor_below] = [room, to].map((name) => CORE_FLOORS.findIndex((names) => names.includes(name)))
  if (floor! < 0)
    return `${path} lies in a new room of core: say in test/tidy.test.ts and ARCHITECTURE.md on which floor it is.`
  return floor! < floor_below!
    ? undefined
    : `${path} imports ${target}. ${room} may import from the floors below it only.`
}

/** The room of core that a file lies in, '' for core's top level, or undefined outside of core. A room may lie in another. */
function coreRoomOf(path: string): string | undefined {
  const [, below] = /^src\/core\/(.+)/.exec(path) ?? []
  const inner = CORE_FLOORS.flat().find((room) => room.includes('/') && below?.startsWith(`${room}/`))
  return inner ?? (below && (below.split('/').slice(0, -1)[0] ?? ''))
}

/** Circles of imports. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, way: string[]) => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path])
    if (way.includes(path) || done.has(path)) return
    for (const next of graph.get(path) ?? []) walk(next, [...way, path])
    done.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return circles
}
