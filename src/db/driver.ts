import { registerHooks } from 'node:module'

/*
 * The driver `postgres`, mended while it is loaded. Why it is done here: docs/decisions/0013.
 */

const MENDS = [
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
]

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    return url.endsWith('/postgres/src/connection.js') ? { ...loaded, source: mend(String(loaded.source)) } : loaded
  },
})
const { default: driver } = await import('postgres')
hooks.deregister()

export { driver }

function mend(source: string): string {
  return MENDS.reduce((text, { faulty, mended }) => {
    if (!text.includes(faulty))
      throw new Error('The driver of the database has changed: see whether src/db/driver.ts is still needed.')
    return text.replace(faulty, mended)
  }, source)
}
