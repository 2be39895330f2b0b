import type { Terminal } from './terminal.ts'

export interface Progress {
  /** Set how much is done so far. */
  update(done: number): void
  stop(): void
}

/** Show a progress bar in an interactive terminal, and nothing elsewhere. */
export async function startProgress(terminal: Terminal, total: number, noun: string): Promise<Progress> {
  if (!terminal.interactive || total === 0) return { update: () => {}, stop: () => {} }
  const { SingleBar, Presets } = await import('cli-progress')
  const format = `{bar} {value} of {total} ${noun}, {eta_formatted} to go`
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true }, Presets.shades_classic)
  bar.start(total, 0)
  return { update: (done) => bar.update(Math.min(done, total)), stop: () => bar.stop() }
}
