import type { FastifyReply, FastifyRequest } from 'fastify'
import { openCellDirectory } from '../../actions/cell-directory.ts'
import type { App } from '../../app.ts'
import { isDirectoryToken, readCellPart, SignedPart, signPart } from '../../core/cells/directory.ts'
import { NotFound, Unauthenticated, WrongCell } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { rememberFor } from '../../lib/remember-for.ts'
import { cellCookie } from '../pages.ts'

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

/** Add the address of this cell's part of the directory, which other cells read with CELLS_SECRET. */
export function addCellDirectory(server: Server, app: App): void {
  const { CELL: cell, CELLS_SECRET: secret } = app.config
  const readPart = rememberFor(PART_MS, { real: app.clock.real }, async () =>
    signPart(secret!, await readCellPart(app.db, { cell, secret: secret!, now: app.clock.now() })),
  )
  server.get('/console/api/cells/directory', {
    config: { open: true, open_in_maintenance: true },
    schema: { response: { 200: SignedPart } },
    handler: (request) => {
      if (secret === undefined) throw new NotFound()
      requireCell(request, secret)
      return readPart()
    },
  })
}

/** @throws Unauthenticated */
function requireCell(request: FastifyRequest, secret: string): void {
  const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
  if (!isDirectoryToken(secret, token)) throw new Unauthenticated('Only the cells of this installation read this.')
}
