import type { FastifyRequest } from 'fastify'

/** Who may follow a stream: whoever the door's own guard lets in, for as long as the door says so. */
export interface StreamAccess {
  /** What a reader is called in a refusal. */
  kind: 'API key' | 'session'
  /** Which of them this is. Its streams are counted together. */
  readerId(request: FastifyRequest): number
  /** Looks again while the stream is open. @throws Refusal when the reader may not go on. */
  checkAccess(request: FastifyRequest): Promise<void>
}
