import { type Door, defineDoor } from '../door.ts'
import { createCentre, PASSWORD, SYSTEM_ID } from './centre.ts'
import { type Handover, handoverRequest } from './submit.ts'
import { switches } from './switches.ts'

/** The port that the specification's users expect. */
const USUAL_PORT = 2775

/**
 * Message centre (SMSC) that speaks SMPP 3.4 on its own port. Its messages wait with the world's callbacks, which offer
 * them here until a client accepts.
 */
export function createSmppDoor(): Door {
  const centre = createCentre()
  /** The HTTP address of this process. After a restart it may be another. */
  let base: string | null = null
  return defineDoor({
    code: 'smpp',
    name: 'SMPP message centre',
    kind: 'sms',
    hosts: {},
    credentials: [
      { name: 'system_id', value: SYSTEM_ID, help: 'For a session over SMPP: host and port are those of `smsc`.' },
      { name: 'password', value: PASSWORD },
    ],
    numbers: [],
    switches,
    usual_port: USUAL_PORT,
    listen(world, address) {
      base = address.base
      return centre.listen(world, address)
    },
    routes(server, world) {
      server.post('/handover', { config: { verb: 'handover' } }, async (request, reply) => {
        const is_taken = await centre.handOver(request.body as Handover, await world.switches())
        return reply.code(is_taken ? 200 : 503).send({})
      })
    },
    callbacks: () => [],
    completeCallback: (callback) => ({ ...callback, url: base && `${base}/smpp/handover` }),
    incomingSms: ({ phonenumber, to, text }) => [handoverRequest({ kind: 'incoming', phonenumber, to, text })],
  })
}
