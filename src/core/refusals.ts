import { getMessage } from '../lib/messages/message.ts'
import { cellOf } from '../lib/text/cells.ts'

/** Messages that name no reason. The console has its own words for them. */
export const NO_PERMISSION = getMessage('access.no_permission')
export const NOT_FOUND = getMessage('access.not_found')

/**
 * A request that cannot be fulfilled, for a reason that the caller must know. It is neither a bug nor an outage.
 * Core throws refusals without knowing HTTP; `http/errors.ts` turns them into a status and a body.
 */
export abstract class Refusal extends Error {
  override name = this.constructor.name
}

/** True for an error that concerns one request alone. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Refusal
}

/** The invalid fields of a request, each with its messages (interface section 7). */
export type FieldErrors = Record<string, string[]>

/** The data is invalid. `fields` contains all invalid fields. */
export class Invalid extends Refusal {
  readonly fields: FieldErrors
  constructor(fields: FieldErrors) {
    super(
      Object.entries(fields)
        .map(([field, messages]) => `${field}: ${messages.join(' ')}`)
        .join('; '),
    )
    this.fields = fields
  }
}

/** The request cannot be parsed (broken JSON, an impossible parameter). */
export class Malformed extends Refusal {}

/** The request has no key, or a key that is wrong, revoked or expired. */
export class Unauthenticated extends Refusal {}

/** The caller lacks the permission, or the object belongs to another organization. */
export class Forbidden extends Refusal {
  constructor(message = NO_PERMISSION) {
    super(message)
  }
}

const cellMessages = {
  account: (cell: number) => getMessage('cells.account', { cell }),
  callback: (cell: number) => getMessage('cells.callback', { cell }),
  key: (cell: number) => getMessage('cells.key', { cell }),
  link: (cell: number) => getMessage('cells.link', { cell }),
}
/** Things that belong to a cell. */
type CellObject = keyof typeof cellMessages

/** The code or address belongs to another cell, where the load balancer should have sent it. */
export class WrongCell extends Refusal {
  readonly cell: number
  constructor(what: CellObject, cell: number) {
    super(cellMessages[what](cell))
    this.cell = cell
  }
}

/** Refuse a code of another cell. @throws WrongCell */
export function requireOwnCell(what: CellObject, code: string, own: number): void {
  const cell = cellOf(code)
  if (cell !== own) throw new WrongCell(what, cell)
}

/** The object does not exist. */
export class NotFound extends Refusal {
  constructor(message = NOT_FOUND) {
    super(message)
  }
}

/** A request with the same Duplicate-Check-Key was accepted in the last 24 hours. It created the object `id` of `type`. */
export class Duplicate extends Refusal {
  readonly type: string
  readonly id: number
  constructor(type: string, id: number) {
    super(getMessage('service.duplicate', { type, id }))
    this.type = type
    this.id = id
  }
}

/** Too many requests. The caller may try again after `retry_after_s` seconds. */
export class Throttled extends Refusal {
  readonly retry_after_s: number
  /** @param reason the limit that was reached, in a sentence or two */
  constructor(retry_after_s: number, reason?: string) {
    const usual = `Request was throttled. Expected available in ${retry_after_s} seconds.`
    super(reason === undefined ? usual : `${usual} ${reason}`)
    this.retry_after_s = retry_after_s
  }
}

/** The service cannot respond properly now: maintenance, database unavailable, or a commit whose outcome is unknown. */
export class Unavailable extends Refusal {
  readonly retry_after_s: number
  constructor(message: string, retry_after_s = 5) {
    super(message)
    this.retry_after_s = retry_after_s
  }
}
