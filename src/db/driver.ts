import { registerHooks } from 'node:module'

/*
 * The driver `postgres`, mended while it is loaded. Why it is done here: docs/decisions/0013.
 */

interface Mend {
  faulty: string
  mended: string
}

const CONNECTION: Mend[] = [
  {
    // A rollback that follows the loss of its connection is written to a socket that is gone, from a callback that nobody
    // can catch, and ends the process (porsager/postgres issues 1066, 1154, 1208).
    faulty: 'function nextWrite(fn) {',
    mended: `function nextWrite(fn) {
    if (socket === null) {
      clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }`,
  },
  {
    // What was sent after the connection broke and before it closed is forgotten instead of refused. It then waits in the
    // connection that follows for an answer that never comes, and the pool is one connection poorer.
    faulty: '!hadError && (query || sent.length) && error(',
    mended: ';(query || sent.length) && error(',
  },
  {
    // A connection that is lost while it asks for the types of arrays rejects a promise that nobody holds.
    faulty: 'return fetchArrayTypes()',
    mended: `return fetchArrayTypes().catch(() => {
          needsTypes = true
        })`,
  },
  {
    // What is written in one turn of the event loop goes out together, so that the other side is woken once for statements
    // that belong together. The driver sends each that is longer than a kilobyte by itself.
    faulty: 'chunk.length >= 1024',
    mended: 'chunk.length >= 65536',
  },
  {
    // Nothing that is sent waits in the system until what went before is confirmed, which may take 40 ms: Nagle's algorithm
    // (RFC 896) against delayed acknowledgements (RFC 1122, 4.2.3.2).
    faulty: 'keep_alive && socket.setKeepAlive &&',
    mended: `socket.setNoDelay && socket.setNoDelay(true)
      keep_alive && socket.setKeepAlive &&`,
  },
]

/*
 * V8 puts a function that is written where it is assigned to a property into the old generation at once. There it lies
 * until the next great collection, and all that it leads to lives as long: the statement, its parameters, its rows.
 * A function that goes through a variable is young and dies with them.
 */
const QUERY: Mend[] = [
  {
    faulty: 'this.resolve = x => (this.active = false, resolve(x))',
    mended: `const succeed = x => (this.active = false, resolve(x))
    this.resolve = succeed`,
  },
  {
    faulty: 'this.reject = x => (this.active = false, reject(x))\n\n',
    mended: `const fail = x => (this.active = false, reject(x))
    this.reject = fail

`,
  },
]
const POOL: Mend[] = [
  {
    faulty: 'acc[name] = (x) => new Parameter(x, type.to)',
    mended: `const parameter = (x) => new Parameter(x, type.to)
      acc[name] = parameter`,
  },
  {
    faulty: 'sql.prepare = x => prepare = x.replace(/[^a-z0-9$-_. ]/gi)',
    mended: `const prepareLater = x => prepare = x.replace(/[^a-z0-9$-_. ]/gi)
      sql.prepare = prepareLater`,
  },
  {
    faulty: `c.reserved = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)`,
    mended: `const goOn = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)
      c.reserved = goOn`,
  },
]

const QUEUE: Mend[] = [
  {
    // The queue of idle connections remembers every place that it ever had, and looks through all of them for each
    // statement, until a moment in which no connection is idle. In a service with little to do that moment never comes:
    // after 400,000 statements each took twice as long.
    faulty: `} else {
        xs[index - 1] = undefined
      }`,
    mended: `} else {
        xs[index - 1] = undefined
        if (index > 64 && 2 * index > xs.length) {
          xs = xs.slice(index)
          index = 0
        }
      }`,
  },
]

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const file = /\/postgres\/src\/(connection|query|queue|index)\.js$/.exec(url)?.[1]
    const mends = { connection: CONNECTION, query: QUERY, queue: QUEUE, index: POOL }[file ?? '']
    return mends ? { ...loaded, source: mend(String(loaded.source), mends) } : loaded
  },
})
const { default: driver } = await import('postgres')
hooks.deregister()

export { driver }

function mend(source: string, mends: readonly Mend[]): string {
  return mends.reduce((text, { faulty, mended }) => {
    if (!text.includes(faulty))
      throw new Error('The driver of the database has changed: see whether src/db/driver.ts is still needed.')
    return text.replace(faulty, () => mended)
  }, source)
}
