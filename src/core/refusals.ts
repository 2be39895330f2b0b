/**
 * A refusal says that the caller may not have this: not a bug and not an outage.
 * Core throws these without knowing HTTP; `http/errors.ts` turns them into a status and a body.
 */
export abstract class Refusal extends Error {
  override name = this.constructor.name
}

/** The faulty fields of a request, each with its messages (interface section 7). */
export type FieldErrors = Record<string, string[]>

/** The data is wrong. Names every faulty field at once. */
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

/** The request cannot be read at all (broken JSON, an impossible parameter). */
export class Malformed extends Refusal {}

/** No key came, or one that is wrong, revoked or expired. */
export class Unauthenticated extends Refusal {}

/** The caller is known but lacks the permission, or the object is another organization's. */
export class Forbidden extends Refusal {
  constructor(message = 'You do not have permission to perform this action.') {
    super(message)
  }
}

/** There is no such object. */
export class NotFound extends Refusal {
  constructor(message = 'Not found.') {
    super(message)
  }
}

/** A request with the same Duplicate-Check-Key was accepted within 24 hours; it made `id` of `type`. */
export class Duplicate extends Refusal {
  readonly type: string
  readonly id: number
  constructor(type: string, id: number) {
    super(`Duplicate Request Detected! A request with this key was accepted in the last 24 hours (${type} ${id}).`)
    this.type = type
    this.id = id
  }
}

/** Too many requests; the caller may come again after `retry_after_s` seconds. */
export class Throttled extends Refusal {
  readonly retry_after_s: number
  constructor(
    retry_after_s: number,
    message = `Request was throttled. Expected available in ${retry_after_s} seconds.`,
  ) {
    super(message)
    this.retry_after_s = retry_after_s
  }
}

/** The service cannot say now (maintenance, database away, a commit whose outcome is unknown). */
export class Unavailable extends Refusal {
  readonly retry_after_s: number
  constructor(message: string, retry_after_s = 5) {
    super(message)
    this.retry_after_s = retry_after_s
  }
}
