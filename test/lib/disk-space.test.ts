import { expect, it } from 'vitest'
import { describeSpace, watchDisk } from '../../src/lib/disk-space.ts'
import { eventually } from '../test-app.ts'

const GIGABYTE = 1_024 ** 3
/** A disk of 100 GB with so many bytes free. */
const disk = (free: number) => ({ bavail: free / 4_096, blocks: (100 * GIGABYTE) / 4_096, bsize: 4_096 })

it.each([
  [50 * GIGABYTE, 'enough', null],
  [9 * GIGABYTE, 'low', 'The disk of /data has 9216 MB (9.0 %) left.'],
  [GIGABYTE, 'critical', 'The disk of /data has 1024 MB (1.0 %) left.'],
  [GIGABYTE / 32, 'full', 'The disk of /data has 32 MB (0.0 %) left. Nothing is stored until there is more space.'],
])('%i free bytes of 100 GB are %s', async (free, level, text) => {
  const space = await watchDisk('/data', async () => disk(free)).look()
  expect(space).toMatchObject({ folder: '/data', free_bytes: free, total_bytes: 100 * GIGABYTE, level })
  expect(describeSpace(space!)).toBe(text)
})

it('a folder without an answer says nothing about its disk', async () => {
  const watch = watchDisk('/data', () => Promise.reject(new Error('EIO')))
  expect([await watch.look(), watch.state()]).toEqual([null, null])
})

it('a watch reports each change of the level once, and a full disk at each look', async () => {
  let free = 50 * GIGABYTE
  const told: string[] = []
  const watch = watchDisk('/data', async () => disk(free))
  watch.start(({ level }) => told.push(level))
  const until = (text: string) => eventually(text, async () => (told.join(' ') === text ? true : undefined))
  free = 5 * GIGABYTE
  await until('low')
  free = 0
  await until('low full full')
  free = 50 * GIGABYTE
  await until('low full full enough')
  watch.stop()
})
