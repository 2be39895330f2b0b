import type { Terminal } from './terminal.ts'

export interface Progress {
  /** Says how much has been done so far. */
  update(done: number): void
  stop(): void
}

/** A bar that shows a person how far long work has come. Where nobody sits, nothing is shown. */
export async function startProgress(terminal: Terminal, total: number, noun: string): Promise<Progress> {
  if (!terminal.interactive || total === 0) return { update: () => {}, stop: () => {} }
  const { SingleBar, Presets } = await import('cli-progress')
  const format = `{bar} {value} of {total} ${noun}, {eta_formatted} to go`
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true }, Presets.shades_classic)
  bar.start(total, 0)
  return { update: (done) => bar.update(Math.min(done, total)), stop: () => bar.stop() }
}
