import { expect, it, vi } from 'vitest'
import { createOutageLog } from '../../src/db/outages.ts'
import type { DiskSpace } from '../../src/lib/disk-space.ts'

const FULL = Object.assign(new Error('could not extend file "base/16384/1259": No space left on device'), {
  code: '53100',
})

function openLog(level?: DiskSpace['level']) {
  const lines: Record<string, unknown>[] = []
  const write = (line: object) => void lines.push(line as Record<string, unknown>)
  const log = { info: write, warn: write, error: write, fatal: write }
  const space = level && { folder: '/data', free_bytes: 5, total_bytes: 100, level }
  const disk = space && { state: () => space, look: async () => space, start() {}, stop() {} }
  return { lines, report: createOutageLog(log as never, disk ?? null) }
}

it('an outage is logged each time', () => {
  const { lines, report } = openLog('low')
  report({ job: 'collect', error: new Error('gone') })
  report({ job: 'collect', error: new Error('gone') })
  expect(lines).toMatchObject([{ event: 'database_unavailable', job: 'collect' }, { event: 'database_unavailable' }])
})

it('a full disk is logged once a minute, whoever meets it, with its folder', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { lines, report } = openLog('full')
  for (let time = 0; time < 50; time += 1) report({ job: `job ${time}`, error: time % 2 ? FULL : new Error('lost') })
  expect(lines).toMatchObject([{ event: 'disk_full', folder: '/data', free_bytes: 5 }])
  vi.advanceTimersByTime(61_000)
  report({ job: 'collect', error: FULL })
  expect(lines).toHaveLength(2)
  vi.useRealTimers()
})

it('a full disk of a database elsewhere is known by its error', () => {
  const { lines, report } = openLog()
  report({ job: 'collect', error: FULL })
  report({ job: 'collect', error: FULL })
  expect(lines).toMatchObject([{ event: 'disk_full', folder: null }])
})
