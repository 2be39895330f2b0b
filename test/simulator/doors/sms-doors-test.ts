import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase, openSimulatorTest } from '../simulator-test.ts'

/** A request that a simulated provider has made. */
export interface Heard {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** A simulated SMS provider with a business that hears its reports. */
export async function openSmsDoor(code: string) {
  const database = await openDatabase()
  const test = await openSimulatorTest(database.db)
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    heard.push({ method: request.method!, url: request.url!, headers: request.headers as Heard['headers'], body })
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const api = test.simulator.hostsOf(code).api!
  return {
    simulator: test.simulator,
    api,
    heard,
    listener: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    advance: (seconds: number) => test.clock.advance(seconds),
    /** Call the provider. */
    async call(path: string, init: RequestInit = {}) {
      const response = await fetch(api + path, init)
      return { status: response.status, text: await response.text() }
    },
    async close() {
      await test.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await database.drop()
    },
  }
}
