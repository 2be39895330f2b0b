import { Loader } from '@mantine/core'

/** Stands where something will be once it has arrived, and says so to who cannot see it turn. */
export function Loading() {
  return <Loader role="status" aria-label="Loading" />
}
