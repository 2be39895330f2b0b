import { createServer, connect as openSocket, type Socket } from 'node:net'

/** A way to the database that can be cut, and whose way back can be blocked. */
export type Wire = Awaited<ReturnType<typeof openWire>>

/** Open such a way, on a free port or on this one. */
export async function openWire(url: string, own_port = 0) {
  const to = new URL(url)
  const pairs = new Set<[Socket, Socket]>()
  let sent = ''
  let blocked = false
  const server = createServer((near) => {
    const far = openSocket(Number(to.port), to.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.on('data', (chunk) => {
      sent += chunk.toString('latin1')
    })
    near.pipe(far)
    if (!blocked) far.pipe(near)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.once('close', () => {
        pairs.delete(pair)
        for (const end of pair) end.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(own_port, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const near = new URL(url)
  near.hostname = '127.0.0.1'
  near.port = String(port)
  return {
    url: near.href,
    /** All that was sent to the database so far. */
    sent: () => sent,
    /** Keep back what the database answers, until `unblock`. */
    block() {
      blocked = true
      for (const [near, far] of pairs) far.unpipe(near)
    },
    unblock() {
      blocked = false
      for (const [near, far] of pairs) far.pipe(near)
    },
    /** Hang up in good order, as a proxy does that is restarted. */
    end() {
      for (const [socket] of pairs) socket.end()
    },
    /** Hang up as a machine does that has lost its power and is back. */
    reset() {
      for (const [socket] of pairs) socket.resetAndDestroy()
    },
    async close() {
      for (const [socket] of pairs) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
