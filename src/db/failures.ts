/** The connection to the database is lost, or could not be made. */
export class ConnectionLost extends Error {
  code = 'CONNECTION_LOST'
}

/** The service cannot work with this database; the message tells the remedy. */
export class UnsuitableDatabase extends Error {}

/** The connection died while a commit was under way: it may have happened or not. Never replay it blindly. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost during a commit.', { cause })
  }
}

/** True if an error means that the database is out of reach rather than that a statement was wrong. */
export function isConnectionError(error: unknown): boolean {
  // Class 57P: the server is shutting down or starting up; 53: out of connections, memory or disk; 25P03: this process
  // stood still in a transaction for too long; 25006: the server is a replica now, or not the primary yet.
  const codes =
    /^(CONNECTION_|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0|53|08|25P03|25006)/
  return codes.test(codeOf(error))
}

/** True if the database has no room left on its disk. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL || (error instanceof Error && /No space left on device/.test(error.message))
}

/** True if the database ended a statement because other transactions hold locks, so that it may succeed later. */
export function isLockConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === LOCK_TIMEOUT || code === DEADLOCK
}

/** True if the database ended a transaction to let another one pass. It has changed nothing, and can be repeated. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error)
  return code === DEADLOCK || code === SERIALIZATION_FAILURE
}

/** True if the database ended a statement because it took too long, or waited too long for a lock (`TimeLimits`). */
export function isTimeLimitError(error: unknown): boolean {
  const code = codeOf(error)
  return code === LOCK_TIMEOUT || code === STATEMENT_TIMEOUT
}

/**
 * True if the database is unavailable for now, so that the caller should come back later. An aggregate of errors counts
 * if all of them mean it.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable)
  return error instanceof CommitUnknown || isConnectionError(error) || isTimeLimitError(error) || isDiskFull(error)
}

/**
 * True if the parts of a failed transaction may be tried by themselves, because only some of them may be wrong. Not
 * after a commit that may have happened. Not when the database is out of reach or too slow, because each part would
 * wait again.
 */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof CommitUnknown || isConnectionError(error) || codeOf(error) === STATEMENT_TIMEOUT)
}

/**
 * True if a statement failed because of its values, so that the same values would fail again: PostgreSQL cannot store
 * them (classes 22 and 23), or they cannot even be written.
 */
export function isDataError(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error)) || error instanceof RangeError || error instanceof TypeError
}

/**
 * True if a replica has ended a statement that stood in the way of changes from the primary: a conflict with recovery,
 * or a table that was locked there for too long.
 */
export function isRecoveryConflict(error: unknown): boolean {
  return /^(40001|40P01|55P03)$/.test(codeOf(error))
}

/** True if a read failed because of the server, so that another server with the same data may carry it out. */
export function isReplicaFault(error: unknown): boolean {
  // Class 58: an error of its system; XX: damaged data.
  return error instanceof CommitUnknown || isConnectionError(error) || /^(58|XX)/.test(codeOf(error))
}

/** True if a statement failed because a row breaks this constraint of its table. */
export function breaksConstraint(error: unknown, constraint: string): boolean {
  return codeOf(error) === CHECK_VIOLATION && (error as { constraint?: string }).constraint === constraint
}

/** True if a row breaks a constraint of its table: another row has its name, or a row that it needs is not there. */
export function isIntegrityViolation(error: unknown): boolean {
  return codeOf(error).startsWith('23')
}

/** True if a statement would change an organization that moves to another cell, or that has left (docs/decisions/0081). */
export function isMoving(error: unknown): boolean {
  return codeOf(error) === MOVING
}

const DISK_FULL = '53100'
const LOCK_TIMEOUT = '55P03'
const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'
const STATEMENT_TIMEOUT = '57014'
const CHECK_VIOLATION = '23514'
const MOVING = 'KM001'

/** The code of an error of PostgreSQL or of the network. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/**
 * Reads stored data, and does nothing if it cannot be there yet: a database that has not been migrated has no tables,
 * and the role of the service may have no rights yet.
 */
export async function readUnlessNew(read: () => Promise<void>): Promise<void> {
  await read().catch((error: { code?: string }) => {
    if (error.code !== UNDEFINED_TABLE && error.code !== INSUFFICIENT_PRIVILEGE) throw error
  })
}

const UNDEFINED_TABLE = '42P01'
const INSUFFICIENT_PRIVILEGE = '42501'
