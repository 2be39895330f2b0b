import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Return the HTTP client. It is loaded with the first call: most commands call nobody, and it is a fifth of their start. */
export const loadUndici = (): typeof import('undici') => require('undici')
