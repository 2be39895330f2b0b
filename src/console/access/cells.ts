import type { FastifyReply, FastifyRequest } from 'fastify'
import { openCellDirectory } from '../../actions/cell-directory.ts'
import type { App } from '../../app.ts'
import { isDirectoryToken, readCellPart, SignedPart, signPart, type TokenUse } from '../../core/cells/directory.ts'
import { ForwardedCallback, takeForwarded } from '../../core/connections/forwarded-callbacks.ts'
import { NotFound, Unauthenticated, WrongCell } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { rememberFor } from '../../lib/remember-for.ts'
import { cellCookie } from '../pages.ts'

/** More than a callback may have, with its bytes once more in hexadecimal. */
const MAX_CALLBACK_BYTES = 8_388_608
/** The part of the directory is made anew at most this often. */
const PART_MS = 5_000

/** Lead people to the cell of their accounts. */
export interface CellGuide {
  /** Refuse an e-mail address whose account may be in another cell, where the browser then belongs. @throws WrongCell */
  requireHere(email: string, reply: FastifyReply): Promise<void>
}

/** Open the guide of this process. */
export function openCellGuide(app: App): CellGuide {
  const directory = openCellDirectory(app)
  return {
    async requireHere(email, reply) {
      const cell = await directory.find(email)
      if (cell === undefined || cell === app.config.CELL) return
      reply.header('set-cookie', cellCookie(cell))
      throw new WrongCell('account', cell)
    },
  }
}

/** Add the addresses for other cells, which have CELLS_SECRET: this cell's part of the directory, and callbacks. */
export function addCellDirectory(server: Server, app: App): void {
  const { CELL: cell, CELLS_SECRET: secret } = app.config
  const readPart = rememberFor(PART_MS, { real: app.clock.real }, async () =>
    signPart(secret!, await readCellPart(app.db, { cell, secret: secret!, now: app.clock.now() })),
  )
  server.get('/console/api/cells/directory', {
    config: { open: true, open_in_maintenance: true },
    schema: { response: { 200: SignedPart } },
    handler: (request) => {
      requireCell(request, secret)
      return readPart()
    },
  })
  addForwardedCallbacks(server, app, secret)
}

/** Add the address where other cells pass callbacks on that may be about an organization which has moved here. */
function addForwardedCallbacks(server: Server, app: App, secret: string | undefined): void {
  server.post('/console/api/cells/callbacks', {
    config: { open: true, open_in_maintenance: true },
    bodyLimit: MAX_CALLBACK_BYTES,
    schema: { body: ForwardedCallback },
    // Before the body is read, which strangers could make long.
    onRequest: async (request) => requireCell(request, secret, 'callbacks'),
    handler: async ({ body }, reply) => {
      if (!app.providers.find(body.connection)) throw new NotFound()
      await begin(app.db, (tx) => takeForwarded(tx, app.clock.now(), body))
      app.wake('callback_received')
      return reply.code(204).send()
    },
  })
}

/** @throws NotFound without a secret, Unauthenticated */
function requireCell(request: FastifyRequest, secret: string | undefined, use?: TokenUse): void {
  if (secret === undefined) throw new NotFound()
  const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
  if (!isDirectoryToken(secret, token, use)) throw new Unauthenticated('Only the cells of this installation read this.')
}
