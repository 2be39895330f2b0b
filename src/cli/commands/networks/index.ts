import type { Command } from 'commander'
import type { Terminal } from '../../terminal.ts'
import { addDriverCommands } from './drivers.ts'
import { addScaffold } from './scaffold.ts'
import { addSimulateNetworks } from './simulate.ts'

export function addNetworks(program: Command, terminal: Terminal): void {
  const networks = program.command('networks').description('mobile-money networks: their drivers and their simulations')
  addDriverCommands(networks, terminal)
  addSimulateNetworks(networks, terminal)
  addScaffold(networks, terminal)
}
