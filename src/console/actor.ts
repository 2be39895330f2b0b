import type { FastifyRequest } from 'fastify'
import { type ConsoleDoor, createRouteAdder } from '../actions/routes.ts'
import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import { permittedNow } from '../core/access/sessions.ts'
import { originOf } from '../http/request-traces.ts'
import { Confirmation, confirmIdentity } from './access/confirmation.ts'
import { requireSession } from './guard.ts'

/** Return the user who sends a request, and confirms it with its body. @throws Unauthenticated */
export function sessionActor(app: App, request: FastifyRequest): Actor {
  const session = requireSession(request)
  const { id, user, organization, name } = session
  return {
    organization,
    user,
    name,
    permissions: new Set(permittedNow(session)),
    session: id,
    address: request.ip,
    origin: originOf(request),
    confirm: () => confirmIdentity(app, request, request.body as Confirmation),
  }
}

/** Parts of the console that the routes of actions need. */
export const door: ConsoleDoor = { confirmation: Confirmation, actorOf: sessionActor }

/** Add the route of an action that needs more than the action says. */
export const addAction = createRouteAdder(door)
