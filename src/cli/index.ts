#!/usr/bin/env node
import { nodeFault } from './node-version.ts'

const fault = nodeFault(process.versions.node)
if (fault) {
  process.stderr.write(`${fault}\n`)
  process.exitCode = 1
} else {
  // Loaded after the check: an older Node ends with a riddle when it loads these.
  const [{ run }, { processTerminal }] = await Promise.all([import('./command-table.ts'), import('./terminal.ts')])
  process.exitCode = await run(process.argv.slice(2), processTerminal())
}
