import { createBareServer } from './route.ts'

/** Upper limit for creating a request, in a separate process. Garbage collection is configured as in the service. */
const server = createBareServer()

process.send!(await server.listen({ host: '127.0.0.1', port: 0 }))
process.once('SIGTERM', () => process.exit())
