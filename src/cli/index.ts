#!/usr/bin/env node
import { run } from './command-table.ts'
import { processTerminal } from './terminal.ts'

process.exitCode = await run(process.argv.slice(2), processTerminal())
