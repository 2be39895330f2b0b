import compress from '@fastify/compress'
import type { Server } from '../server.ts'

/** Smaller answers fit into one packet, so compressing them would cost time and save none. */
const MIN_BYTES = 1_024

/**
 * Compress the answers to GET above 1 kB with brotli or gzip, as `Accept-Encoding` allows. Call it before the routes
 * are added.
 *
 * Answers to writes stay uncompressed: they are short, they are the hot path, and only they show secrets. A secret
 * compressed together with the caller's input could be guessed by its length (BREACH). Callback addresses take several
 * methods and stay uncompressed as well. So do event streams, by their media type: an event must not wait for the next
 * one.
 */
export async function compressAnswers(server: Server): Promise<void> {
  server.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.compress ??= false
  })
  await server.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: MIN_BYTES,
    // Bodies of requests are checked and limited byte by byte, so compressed ones are refused as before.
    globalDecompression: false,
  })
}
