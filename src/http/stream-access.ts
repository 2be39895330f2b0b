import type { FastifyRequest } from 'fastify'

/** Rules of the API and the console for readers of an event stream, and for how long they may read. */
export interface StreamAccess {
  /** The reader's kind, for error messages. */
  kind: 'API key' | 'session'
  /** The id of the API key or session. Its open streams are counted together. */
  readerId(request: FastifyRequest): number
  /** Check the reader again while the stream is open. @throws Refusal when it may no longer read. */
  checkAccess(request: FastifyRequest): Promise<void>
}
