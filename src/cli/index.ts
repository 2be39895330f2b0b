#!/usr/bin/env node
import module from 'node:module'
import { join } from 'node:path'
import { nodeFault } from './node-version.ts'

/**
 * Folder of Node's compile cache, with which the next command starts in half the time. Only the owner of the program
 * writes here.
 */
const COMPILE_CACHE_DIR = join(import.meta.dirname, '../../node_modules/.cache/kusanya')

const fault = nodeFault(process.versions.node)
if (fault) {
  process.stderr.write(`${fault}\n`)
  process.exitCode = 1
} else {
  // If the folder cannot be written, nothing is kept.
  module.enableCompileCache(COMPILE_CACHE_DIR)
  // Loaded after the check: an older Node ends with a riddle when it loads these.
  const [{ run }, { processTerminal }, { endCommandOnSignal }] = await Promise.all([
    import('./command-table.ts'),
    import('./terminal.ts'),
    import('./service/signals.ts'),
  ])
  endCommandOnSignal()
  process.exitCode = await run(process.argv.slice(2), processTerminal())
}
